// How long things are on the screen: a bar of 1, 2 or 5 times a power of ten metres, at the distance of what is looked at.
import { element } from "./dom";

export interface Bar {
  /** Pixels. */
  width: number;
  text: string;
}

/** The longest round length of at most `most` pixels, where a metre takes `perMetre`. */
export function barOf(perMetre: number, most: number): Bar {
  const limit = most / Math.max(perMetre, 1e-12);
  const power = 10 ** Math.floor(Math.log10(limit));
  const length = [5, 2, 1].map((k) => k * power).find((x) => x <= limit) ?? power;
  const text = length >= 1000 ? `${length / 1000} km` : length >= 1 ? `${length} m` : length >= 0.01 ? `${Number((length * 100).toPrecision(1))} cm` : `${Number((length * 1000).toPrecision(1))} mm`;
  return { width: length * perMetre, text };
}

export class ScaleBar {
  readonly root = element("div", { class: "scale", "aria-hidden": "true" });
  private readonly line = element("i");
  private readonly words = element("span");

  constructor() {
    this.root.append(this.line, this.words);
  }

  show(perMetre: number): void {
    const { width, text } = barOf(perMetre, 130);
    this.line.style.width = `${width.toFixed(1)}px`;
    if (this.words.textContent !== text) this.words.textContent = text;
  }
}
