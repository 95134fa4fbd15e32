// What joints and latches carry, as arrows on request: the force on the joint's body, or on the second of the latch's.
import { type Group, Quaternion, Vector3 } from "three";
import { Arrow, LONGEST, THICK } from "./arrows";
import { type Recording, rowAt } from "./data";
import { element, number } from "./dom";
import { setQuaternion } from "./shapes";
import type { Views } from "./views";

const COLOR = 0xc77dff;
const LEAST = 0.01; // of the largest force: less is not drawn

export class LoadArrows {
  readonly key = element("ul", { class: "key loads", "aria-label": "Loads" });
  private readonly arrows: Arrow[] = [];
  private on = false;

  /** `bodies` are the groups of the run's bodies, by name. */
  constructor(private readonly run: Recording, private readonly views: Views, bodies: Map<string, Group>) {
    this.key.hidden = true;
    const { loads } = run.data;
    if (!loads) return;
    const chip = element("i");
    chip.style.background = `#${COLOR.toString(16)}`;
    this.key.append(element("li", {}, chip, `force in a joint or latch, at most ${number(loads.most)} N`));
    for (const place of loads.places) {
      const arrow = new Arrow(COLOR, THICK * views.radius, 0.9);
      arrow.position.set(...place.position);
      arrow.visible = false;
      this.arrows.push(arrow);
      bodies.get(place.body)?.add(arrow);
    }
  }

  get any(): boolean {
    return this.arrows.length > 0;
  }

  toggle(on: boolean): void {
    this.on = on;
    this.key.hidden = !on;
  }

  show(time: number): void {
    const { loads } = this.run.data;
    if (!loads) return;
    const t = this.run.channels[loads.t];
    const row = rowAt(t, time);
    loads.places.forEach((place, k) => {
      const force = new Vector3(...(place.force.map((channel) => this.run.channels[channel][row]) as [number, number, number]));
      const size = force.length();
      const arrow = this.arrows[k];
      arrow.visible = this.on && time >= t[0] - 1e-9 && size > LEAST * loads.most;
      if (!arrow.visible) return;
      const turn = setQuaternion(new Quaternion(), place.quaternion);
      arrow.aim(force.divideScalar(size).applyQuaternion(turn), (LONGEST * this.views.radius * size) / loads.most);
    });
  }

  /** How many are to be seen. */
  get shown(): number {
    return this.arrows.filter((arrow) => arrow.visible).length;
  }
}
