// Thrusters while they fire: a cone of light behind each open nozzle.
import { AdditiveBlending, BufferGeometry, CylinderGeometry, DoubleSide, Float32BufferAttribute, type Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { type Recording, rowAt } from "./data";
import { reach } from "./views";

const WINDOW = 0.125; // seconds before and after the time shown of which a plume shows how much the nozzle is open: pulses are short
const HOT = [0.75, 0.88, 1];
const UP = new Vector3(0, 1, 0);

interface Nozzle {
  plume: Mesh;
  t: Float64Array;
  end: Float64Array;
}

/** From the nozzle at the origin along +y, bright there and dark at its end. */
function cone(length: number, halfAngle: number): BufferGeometry {
  const wide = length * Math.tan(Math.min(halfAngle, 1));
  const made = new CylinderGeometry(wide, 0.06 * wide, length, 18, 6, true).translate(0, length / 2, 0);
  const y = made.getAttribute("position");
  const shades: number[] = [];
  for (let k = 0; k < y.count; k++) {
    const light = 0.7 * (1 - y.getY(k) / length) ** 2.5;
    shades.push(...HOT.map((part) => light * part));
  }
  return made.setAttribute("color", new Float32BufferAttribute(shades, 3));
}

export class Plumes {
  private readonly nozzles: Nozzle[] = [];

  /** `bodies` are the groups of the run's bodies, by name. */
  constructor(private readonly run: Recording, bodies: Map<string, Group>) {
    const { thrusters, bodies: known } = run.data;
    if (!thrusters) return;
    const [t, end, which] = [thrusters.t, thrusters.end, thrusters.which].map((channel) => run.channels[channel]);
    const strongest = Math.max(...thrusters.nozzles.map((nozzle) => nozzle.thrust));
    const look = new MeshBasicMaterial({
      vertexColors: true, transparent: true, opacity: 0.5, blending: AdditiveBlending, depthWrite: false, side: DoubleSide,
    });
    thrusters.nozzles.forEach((nozzle, k) => {
      const body = known.find((entry) => entry.name === nozzle.body);
      const own = which.reduce<number[]>((found, of, row) => (of === k && found.push(row), found), []);
      if (!body || !own.length) return;
      const length = Math.max(0.05, 0.9 * reach(body) * Math.sqrt(nozzle.thrust / strongest));
      const plume = new Mesh(cone(length, nozzle.half_angle), look);
      plume.position.set(...nozzle.position);
      plume.quaternion.copy(new Quaternion().setFromUnitVectors(UP, new Vector3(...nozzle.along)));
      plume.visible = false;
      bodies.get(nozzle.body)?.add(plume);
      this.nozzles.push({ plume, t: Float64Array.from(own, (row) => t[row]), end: Float64Array.from(own, (row) => end[row]) });
    });
  }

  show(time: number): void {
    const half = Math.max(WINDOW, (this.run.end - this.run.t[0]) / 8000);
    for (const { plume, t, end } of this.nozzles) {
      let open = 0;
      for (let row = rowAt(t, time + half); row >= 0 && end[row] > time - half; row--) {
        open += Math.max(0, Math.min(end[row], time + half) - Math.max(t[row], time - half));
      }
      plume.visible = open > 0;
      plume.scale.setScalar(Math.max(0.25, Math.sqrt(Math.min(1, open / (2 * half)))));
    }
  }

  /** Names of the nozzles that are open at a time. */
  firing(): number {
    return this.nozzles.filter(({ plume }) => plume.visible).length;
  }
}
