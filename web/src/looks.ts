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

/** Crumpled foil: many facets of different brightness. */
function wrinkles(pen: CanvasRenderingContext2D): void {
  let state = 11;
  const draw = () => (state = (state * 1664525 + 1013904223) >>> 0) / 4294967296;
  pen.fillStyle = "#c9c9c9";
  pen.fillRect(0, 0, 256, 256);
  for (let k = 0; k < 520; k++) {
    const [x, y, size] = [256 * draw(), 256 * draw(), 10 + 34 * draw()];
    const shade = Math.round(140 + 115 * draw());
    pen.fillStyle = `rgba(${shade},${shade},${shade},0.42)`;
    for (const [a, b] of [[0, 0], [-256, 0], [0, -256], [256, 0], [0, 256]]) { // seamless
      pen.beginPath();
      pen.moveTo(x + a + size * (draw() - 0.5), y + b - size * draw());
      pen.lineTo(x + a + size * draw(), y + b + size * (draw() - 0.5));
      pen.lineTo(x + a - size * draw(), y + b + size * draw());
      pen.fill();
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
      return new MeshPhongMaterial({ ...shared, color, map: texture("wrinkles", wrinkles), specular: 0x6e5c36, shininess: 30 });
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
