// Single pictures of the scene, of any size, for videos: drawn at once, with the time, the phase and a scale bar on them.
import type { Recording } from "./data";
import { barOf } from "./scale";
import type { Stage } from "./stage";

export class Film {
  private readonly canvas = document.createElement("canvas");
  private readonly pen: CanvasRenderingContext2D;

  constructor(private readonly stage: Stage, private readonly run: Recording, private readonly width: number, private readonly height: number) {
    this.canvas.width = width;
    this.canvas.height = height;
    this.pen = this.canvas.getContext("2d", { alpha: false, willReadFrequently: true })!; // every picture of it is read
    stage.fix(width, height);
  }

  /** The picture at a time, as a data URL; `quality` from 0 to 1 is JPEG's, without it PNG. */
  picture(time: number, quality?: number): string {
    const { pen, width, height } = this;
    pen.drawImage(this.stage.still(time), 0, 0, width, height);
    const size = Math.max(11, Math.round(height / 40));
    pen.font = `${size}px system-ui, "DejaVu Sans", sans-serif`;
    pen.textBaseline = "alphabetic";
    pen.shadowColor = "#000";
    pen.shadowBlur = size / 3;
    pen.fillStyle = "#eef3fa";
    const phase = this.run.data.phases.filter((each) => each.start <= time + 1e-9).at(-1);
    const words = [`t = ${time.toFixed(this.run.end < 1 ? 4 : 1)} s`, phase?.name].filter(Boolean).join("   ");
    pen.textAlign = "left";
    pen.fillText(words, size, height - size);
    pen.fillText(this.run.data.name, size, 1.8 * size);
    const state = this.stage.words();
    pen.font = `${Math.round(0.8 * size)}px system-ui, "DejaVu Sans", sans-serif`;
    if (state) pen.fillText(state, size, 3.2 * size, width - 2 * size);
    const bar = barOf(this.stage.perMetre(), 0.16 * width);
    pen.fillRect(width - size - bar.width, height - 1.25 * size, bar.width, 2);
    pen.textAlign = "right";
    pen.fillText(bar.text, width - size, height - 1.6 * size);
    const { inset } = this.stage;
    if (inset) {
      pen.textAlign = "left";
      pen.fillText("camera", inset.x + 6, inset.y + size);
    }
    pen.shadowBlur = 0;
    if (inset) {
      pen.strokeStyle = "#8fa3bd";
      pen.strokeRect(inset.x + 0.5, inset.y + 0.5, inset.width - 1, inset.height - 1);
    }
    return quality === undefined ? this.canvas.toDataURL("image/png") : this.canvas.toDataURL("image/jpeg", quality);
  }
}
