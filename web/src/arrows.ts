// Impulses of impacts and forces of compliant contacts, as arrows on the contact's first body.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, type Scene, SphereGeometry, Vector3 } from "three";
import { type Recording, type ReplayEvent, rowAt, type Vec3 } from "./data";
import { element, number } from "./dom";
import { poseMatrix, type Views } from "./views";

const IMPULSE = 0xe5532d;
const FORCE = 0x0aa5bd;
const FAINT = 0.5; // of a touch that is over
export const DRAWN = 1; // layer of what only the viewer sees, not the run's own camera
export const LONGEST = 0.34; // of the scene's radius
export const THICK = 0.012; // likewise
const UP = new Vector3(0, 1, 0);

/** What an arrow tells: of which contact, in the world's axes (N or N s). */
export interface Push {
  kind: "impulse" | "force";
  contact: string;
  point: Vec3;
  vector: Vec3;
}

/** An arrow from a dot; also seen through what it touches. */
export class Arrow extends Group {
  private readonly shaft: Mesh;
  private readonly head: Mesh;

  constructor(color: number, private readonly thick: number, opacity = 1) {
    super();
    const look = new MeshBasicMaterial({ color, transparent: true, opacity, depthTest: false });
    this.shaft = new Mesh(new CylinderGeometry(0.5 * thick, 0.5 * thick, 1, 10).translate(0, 0.5, 0), look);
    this.head = new Mesh(new ConeGeometry(1.7 * thick, 5 * thick, 16).translate(0, -2.5 * thick, 0), look);
    this.add(this.shaft, this.head, new Mesh(new SphereGeometry(thick, 16, 12), look));
    for (const part of this.children) {
      part.renderOrder = 6;
      part.layers.set(DRAWN);
    }
  }

  aim(direction: Vector3, length: number): void {
    const turn = new Quaternion().setFromUnitVectors(UP, direction);
    this.shaft.quaternion.copy(turn);
    this.head.quaternion.copy(turn);
    this.shaft.scale.set(1, Math.max(length - 4 * this.thick, 1e-9), 1);
    this.head.position.copy(direction).multiplyScalar(length);
    this.head.scale.setScalar(Math.min(1, length / (5 * this.thick)));
  }
}

export class Arrows {
  readonly key = element("ul", { class: "key", "aria-label": "Arrows" });
  private past: { event: ReplayEvent; vector: Vector3; arrow: Arrow }[] = [];
  private readonly now: Arrow[] = []; // as many as there were ever contacts at once
  private readonly near = new Group(); // in the anchor's frame
  private pushes: Push[] = [];
  private time = 0;
  private on = true;

  constructor(private readonly run: Recording, private readonly views: Views, private readonly world: Group, scene: Scene) {
    scene.add(this.near);
    this.renew();
  }

  /** What has been so far. */
  renew(): void {
    this.near.clear();
    this.key.replaceChildren();
    this.past = [];
    const { run } = this;
    const { events, contacts } = run.data;
    const hardest = Math.max(...events.map((event) => event.impulse ?? 0), 0);
    for (const event of events) {
      if (!event.point) continue;
      const vector = event.force ? new Vector3(...event.force) : new Vector3(...event.normal!).multiplyScalar(event.impulse ?? 0);
      const arrow = new Arrow(event.force ? FORCE : IMPULSE, this.thick, event.force ? FAINT : 0.95);
      const part = event.force ? vector.length() / contacts!.most : 0.4 + 0.6 * (vector.length() / (hardest || 1));
      const direction = event.force ? vector.clone().normalize() : new Vector3(...event.normal!);
      arrow.aim(direction, this.longest * part);
      this.near.add(arrow);
      this.past.push({ event, vector, arrow });
    }
    if (hardest > 0) this.explain(IMPULSE, `impulse of an impact, at most ${number(hardest)} N s`);
    if (contacts) this.explain(FORCE, `force of a contact, at most ${number(contacts.most)} N`, "; faint: of the last touch");
  }

  private get longest(): number {
    return LONGEST * this.views.radius;
  }

  private get thick(): number {
    return THICK * this.views.radius;
  }

  private explain(color: number, what: string, more = ""): void {
    const chip = element("i");
    chip.style.background = `#${color.toString(16).padStart(6, "0")}`;
    this.key.append(element("li", {}, chip, element("span", {}, what, element("small", {}, more))));
  }

  /** Is there anything to show during the run? */
  get any(): boolean {
    return this.past.length > 0 || this.run.data.contacts !== null;
  }

  toggle(on: boolean): void {
    this.on = on;
    this.key.hidden = !on;
    this.near.visible = on;
  }

  /** What has been, again, as seen from a new anchor. */
  anchored(): void {
    const { anchor, tilt } = this.views;
    for (const { event, arrow } of this.past) {
      const inverse = poseMatrix(this.run, anchor.body, event.peak ?? event.time, anchor.turning).invert();
      arrow.position.set(...event.point!).applyMatrix4(inverse);
      arrow.quaternion.setFromRotationMatrix(inverse);
    }
    this.near.quaternion.copy(tilt);
  }

  show(time: number): void {
    this.time = time;
    this.pushes = this.contacts(time);
    while (this.now.length < this.pushes.length) {
      const arrow = new Arrow(FORCE, this.thick);
      this.now.push(arrow);
      this.world.add(arrow);
    }
    this.now.forEach((arrow, k) => {
      arrow.visible = this.on && k < this.pushes.length;
      if (arrow.visible) this.put(arrow, this.pushes[k]);
    });
    for (const { event, arrow } of this.past) arrow.visible = this.lingers(event);
  }

  private put(arrow: Arrow, push: Push): void {
    const vector = new Vector3(...push.vector);
    const size = vector.length();
    arrow.position.set(...push.point);
    arrow.aim(vector.divideScalar(size || 1), (this.longest * size) / this.run.data.contacts!.most);
  }

  /** Impacts and touches are over in a moment: they are shown for some time after it. */
  private lingers(event: ReplayEvent): boolean {
    const over = event.end ?? event.time;
    const begun = event.end === undefined ? this.time >= over - 1e-6 : this.time > over + 1e-6;
    return begun && this.time < over + Math.max(1.5, Math.min(5, 0.05 * this.run.end));
  }

  /** Compliant contacts at the recorded row of a time. */
  private contacts(time: number): Push[] {
    const { contacts } = this.run.data;
    if (!contacts) return [];
    const [t, starts, contact] = [contacts.t, contacts.starts, contacts.contact].map((channel) => this.run.channels[channel]);
    const frame = rowAt(t, time);
    const row = this.run.t[rowAt(this.run.t, time)];
    if (!t.length || Math.abs(t[frame] - row) > 1e-6) return [];
    const read = (channels: number[], line: number) => channels.map((channel) => this.run.channels[channel][line]) as Vec3;
    const found: Push[] = [];
    for (let line = starts[frame]; line < (starts[frame + 1] ?? contact.length); line++) {
      const name = contacts.names[contact[line]];
      found.push({ kind: "force", contact: name, point: read(contacts.point, line), vector: read(contacts.force, line) });
    }
    return found;
  }

  /** The arrows that are on the screen. */
  shown(): Push[] {
    if (!this.on) return [];
    const past = this.past.filter(({ arrow }) => arrow.visible).map(({ event, vector }): Push => {
      const contact = event.label.slice(event.label.indexOf(": ") + 2);
      return { kind: event.force ? "force" : "impulse", contact, point: event.point!, vector: vector.toArray() };
    });
    return [...this.pushes, ...past];
  }

  /** Contacts at the time shown, in words. */
  words(): string {
    const sizes = new Map<string, number>();
    for (const { contact, vector } of this.pushes) sizes.set(contact, (sizes.get(contact) ?? 0) + Math.hypot(...vector));
    return sizes.size ? `Touching: ${[...sizes].map(([contact, size]) => `${contact} (${number(size)} N)`).join(", ")}.` : "";
  }
}
