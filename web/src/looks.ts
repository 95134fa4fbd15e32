// How surfaces look: foil, solar cells, metal, paint. Textures are drawn here, so that a page needs no file.
import { CanvasTexture, Color, type Material, MeshPhongMaterial, RepeatWrapping, SRGBColorSpace, type Texture } from "three";

import { quality } from "./quality";

export type Look = "paint" | "foil" | "panel" | "metal" | "rubber" | "floor";

function drawn(size: number, paint: (pen: CanvasRenderingContext2D) => void): Texture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  paint(canvas.getContext("2d")!);
  const made = new CanvasTexture(canvas);
  made.colorSpace = SRGBColorSpace;
  made.wrapS = made.wrapT = RepeatWrapping;
  made.anisotropy = quality.fine ? 4 : 1;
  return made;
}

/** Blue cells with clipped corners and fine conductors, on white tape. */
function cells(pen: CanvasRenderingContext2D): void {
  pen.fillStyle = "#8f9bb0";
  pen.fillRect(0, 0, 256, 256);
  const step = 256 / 4;
  for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) {
    const [x, y, s, c] = [i * step + 2, j * step + 2, step - 4, 9];
    pen.fillStyle = (i + j) % 2 ? "#14245c" : "#182b6b";
    pen.beginPath();
    pen.moveTo(x + c, y); pen.lineTo(x + s - c, y); pen.lineTo(x + s, y + c); pen.lineTo(x + s, y + s - c);
    pen.lineTo(x + s - c, y + s); pen.lineTo(x + c, y + s); pen.lineTo(x, y + s - c); pen.lineTo(x, y + c);
    pen.fill();
    pen.fillStyle = "rgba(160,180,220,0.35)";
    for (let k = 1; k < 4; k++) pen.fillRect(x, y + (k * s) / 4, s, 1);
  }
}

/** Crumpled foil: a net of small facets, each turned a little otherwise and so a little brighter or darker, with glints on
 *  some of their edges; calm from afar. */
function wrinkles(pen: CanvasRenderingContext2D): void {
  let state = 11;
  const draw = () => (state = (state * 1664525 + 1013904223) >>> 0) / 4294967296;
  const [n, step] = [12, 256 / 12];
  const knots = Array.from({ length: n * n }, () => [step * (draw() - 0.5), step * (draw() - 0.5), draw()]);
  const at = (i: number, j: number) => {
    const [dx, dy, height] = knots[((i + n) % n) * n + ((j + n) % n)]; // seamless
    return [step * i + 0.8 * dx, step * j + 0.8 * dy, height];
  };
  for (let i = -1; i <= n; i++) for (let j = -1; j <= n; j++) {
    const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
    for (const [p, q, r] of [[a, b, c], [a, c, d]]) {
      const slope = (q[2] - p[2]) + 0.6 * (r[2] - p[2]); // towards an imagined light
      const shade = Math.round(222 + 15 * slope);
      pen.fillStyle = pen.strokeStyle = `rgb(${shade},${shade},${shade})`;
      pen.lineWidth = 0.7;
      pen.beginPath();
      for (const [x, y] of [p, q, r]) pen.lineTo(x, y);
      pen.closePath();
      pen.fill();
      pen.stroke();
      if (slope > 0.75) { // a fold that glints
        pen.strokeStyle = "rgba(255,255,255,0.3)";
        pen.beginPath();
        pen.moveTo(p[0], p[1]);
        pen.lineTo(q[0], q[1]);
        pen.stroke();
      }
    }
  }
}

const textures = new Map<string, Texture>();

function texture(name: string, paint: (pen: CanvasRenderingContext2D) => void): Texture {
  if (!textures.has(name)) textures.set(name, drawn(256, paint));
  return textures.get(name)!;
}

export function materialOf(look: Look, color: Color, glass: boolean): Material {
  const shared = { transparent: glass, opacity: glass ? 0.34 : 1, depthWrite: !glass, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
  switch (look) {
    case "panel":
      return new MeshPhongMaterial({ ...shared, map: texture("cells", cells), specular: 0x5c78c8, shininess: 90 });
    case "foil":
      return new MeshPhongMaterial({ ...shared, color, map: texture("wrinkles", wrinkles), specular: 0x3c3628, shininess: 40 });
    case "metal":
      return new MeshPhongMaterial({ ...shared, color, specular: 0xc8d2e0, shininess: 120 });
    case "rubber":
      return new MeshPhongMaterial({ ...shared, color: 0x2c3038, specular: 0x20242a, shininess: 12 });
    case "floor":
      return new MeshPhongMaterial({ ...shared, color: 0x3a424e, specular: 0x39404a, shininess: 60 });
    default:
      return new MeshPhongMaterial({ ...shared, color, specular: 0x4a5260, shininess: 38 });
  }
}
