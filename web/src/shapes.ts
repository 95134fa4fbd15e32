// Shapes of bodies as three.js meshes.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshPhongMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Body, Recording, Shape, Wxyz } from "./data";
import { materialOf } from "./looks";
import { segments } from "./quality";

export function setQuaternion(target: Quaternion, q: Wxyz): Quaternion {
  return target.set(q[1], q[2], q[3], q[0]);
}

/** A body's own shapes, in its frame. A ghost is edges in its colour and a tint: it may stand where the body stands. */
export function bodyGroup(body: Body, recording: Recording, ghost?: string): Group {
  const group = new Group();
  const color = new Color(ghost ?? body.color);
  const tint = new MeshPhongMaterial({
    color, transparent: true, opacity: 0.2, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 3,
  });
  const materials = new Map<string, Material>();
  const paint = (shape: Shape): Material => {
    if (ghost !== undefined) return tint;
    const name = `${shape.look} ${shape.color}`;
    if (!materials.has(name)) materials.set(name, materialOf(shape.look ?? "paint", new Color(shape.color ?? body.color), body.glass));
    return materials.get(name)!;
  };
  const edge = ghost === undefined
    ? new LineBasicMaterial({ color: color.clone().multiplyScalar(body.glass ? 1 : 0.3), transparent: true, opacity: body.glass ? 0.8 : 0.55 })
    : new LineBasicMaterial({ color, transparent: true, opacity: 0.95 });
  for (const shape of body.shapes) {
    const geometry = geometryOf(shape, recording);
    const edged = ["box", "mesh", "cylinder"].includes(shape.kind) && !shape.smooth;
    const mesh = new Mesh(geometry, paint(shape));
    mesh.name = ghost === undefined ? "" : "tint";
    mesh.castShadow = ghost === undefined && !body.glass;
    mesh.receiveShadow = mesh.castShadow;
    mesh.position.fromArray(shape.position ?? [0, 0, 0]);
    setQuaternion(mesh.quaternion, shape.quaternion ?? [1, 0, 0, 0]);
    if (ghost === undefined) mesh.userData.alike = JSON.stringify([{ ...shape, position: 0, quaternion: 0 }, body.color, body.glass]);
    if (edged) mesh.add(new LineSegments(new EdgesGeometry(geometry, 28), edge));
    group.add(mesh);
  }
  return group;
}

function geometryOf(shape: Shape, recording: Recording): BufferGeometry {
  const radius = shape.radius ?? 0.05;
  const length = shape.length ?? 1;
  switch (shape.kind) {
    case "box":
      return new BoxGeometry(...(shape.size ?? [1, 1, 1]));
    case "sphere":
      return new SphereGeometry(radius, segments(32, 20), segments(20, 12));
    case "capsule": // three.js's stands along y, softdock's along z
      return new CapsuleGeometry(radius, length, segments(8, 4), segments(20, 16)).rotateX(Math.PI / 2);
    case "cylinder":
      return new CylinderGeometry(radius, radius, length, segments(36, 24)).rotateX(Math.PI / 2);
    case "rod":
      return rod(new Vector3(...(shape.to ?? [0, 0, 1])), radius);
    case "mesh":
      return mesh(recording.channels[shape.vertices!], recording.channels[shape.triangles!], shape.smooth);
  }
}

function rod(to: Vector3, radius: number): BufferGeometry {
  const geometry = new CapsuleGeometry(radius, Math.max(to.length(), 1e-6), segments(6, 3), segments(16, 10));
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), to.clone().normalize());
  return geometry.applyQuaternion(turn).translate(to.x / 2, to.y / 2, to.z / 2);
}

function mesh(vertices: Float64Array, triangles: Float64Array, smooth = false): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(vertices), 3));
  geometry.setIndex(Array.from(triangles));
  if (smooth) return toCreasedNormals(geometry, 0.6);
  const flat = geometry.toNonIndexed(); // each face with its own normal: a hull's faces are flat
  flat.computeVertexNormals();
  return flat;
}
