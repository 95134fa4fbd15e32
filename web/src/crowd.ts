// Many bodies that look alike, drawn together: one call for all of them in place of two for each.
import { type BufferGeometry, type Group, InstancedMesh, type LineSegments, Matrix4, type Mesh } from "three";

const MANY = 150; // shapes in a scene, from which on it is worth it
const ALIKE = 8; // that look the same

interface Kind {
  drawn: (Mesh | LineSegments)[]; // each with a matrix for every member
  members: { group: Group; at: Matrix4 }[];
}

/** Three.js's lines can be drawn so too: they need what it asks of an InstancedMesh. */
function together(part: Mesh | LineSegments, count: number): Mesh | LineSegments {
  const all = new InstancedMesh(part.geometry, undefined, count);
  const { instanceMatrix } = all;
  return Object.assign(part.clone(false), { isInstancedMesh: true, instanceMatrix, count, instanceColor: null, morphTexture: null, frustumCulled: false });
}

export class Crowd {
  private readonly kinds: Kind[] = [];

  /** Takes shapes out of the bodies' groups; `world` is where these are. */
  constructor(groups: Group[], world: Group) {
    const alike = new Map<string, { mesh: Mesh; group: Group }[]>();
    let count = 0;
    for (const group of groups) for (const part of group.children) {
      const key = part.userData.alike as string | undefined;
      if (!key) continue;
      count += 1;
      alike.set(key, [...(alike.get(key) ?? []), { mesh: part as Mesh, group }]);
    }
    const apart = new URLSearchParams(location.search).has("apart"); // to measure what it gains
    if (count < MANY || apart) return;
    for (const found of alike.values()) {
      if (found.length < ALIKE) continue;
      const [{ mesh }] = found;
      const members = found.map(({ mesh: own, group }) => (own.updateMatrix(), { group, at: own.matrix.clone() }));
      const edges = mesh.children as LineSegments<BufferGeometry>[];
      const drawn = [mesh, ...edges].map((part) => together(part, members.length));
      for (const part of drawn) {
        part.position.set(0, 0, 0);
        part.quaternion.identity();
        world.add(part);
      }
      for (const { mesh: own, group } of found) group.remove(own);
      this.kinds.push({ drawn, members });
    }
  }

  /** After the groups have been put in their places. */
  show(): void {
    const at = new Matrix4();
    for (const { drawn, members } of this.kinds) {
      const [{ instanceMatrix: first }, ...others] = drawn as unknown as InstancedMesh[];
      members.forEach(({ group, at: own }, k) => {
        group.updateMatrix();
        at.multiplyMatrices(group.matrix, own).toArray(first.array, 16 * k);
      });
      first.needsUpdate = true;
      for (const { instanceMatrix } of others) {
        instanceMatrix.array.set(first.array);
        instanceMatrix.needsUpdate = true;
      }
    }
  }
}
