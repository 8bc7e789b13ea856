// The logos of the three letterheads, drawn here so that no image needs a licence: shapes in the unit
// square, sampled 4 × 4 per pixel, and written as a PNG with transparency.

import { crc32, deflateSync } from "node:zlib";

type Color = readonly [red: number, green: number, blue: number];
interface Shape {
  readonly color: Color;
  readonly covers: (x: number, y: number) => boolean;
}
type Point = readonly [x: number, y: number];

const PIXELS = 288;
const SAMPLES = 4;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Draws an open sheet, folded once. */
export function foldedSheetLogo(): Uint8Array {
  const left: Point[] = [
    [0.08, 0.16],
    [0.48, 0.3],
    [0.48, 0.9],
    [0.08, 0.76],
  ];
  const right: Point[] = [
    [0.52, 0.3],
    [0.92, 0.16],
    [0.92, 0.76],
    [0.52, 0.9],
  ];
  const corner: Point[] = [
    [0.72, 0.23],
    [0.92, 0.16],
    [0.92, 0.42],
  ];
  return paint([
    { color: [20, 80, 92], covers: polygon(left) },
    { color: [63, 140, 146], covers: polygon(right) },
    { color: [232, 133, 74], covers: polygon(corner) },
  ]);
}

/** Draws two leaves on a stem. */
export function leafLogo(): Uint8Array {
  const tall = lens([0.1, 0.42], [0.86, 0.34], 0.48);
  const small = lens([0.52, 0.98], [0.98, 0.42], 0.42);
  return paint([
    { color: [47, 93, 58], covers: tall },
    { color: [140, 176, 102], covers: (x, y) => small(x, y) && !tall(x - 0.02, y) },
    { color: [47, 93, 58], covers: (x, y) => Math.abs(x - 0.47) < 0.016 && y > 0.6 && y < 0.97 },
  ]);
}

/** Draws a gate: three arches, one inside the other. */
export function archLogo(): Uint8Array {
  const white: Color = [255, 255, 255];
  const [navy, brass]: [Color, Color] = [
    [29, 43, 79],
    [176, 141, 60],
  ];
  const radii = [0.42, 0.33, 0.27, 0.18, 0.12];
  const colors = [navy, white, brass, white, navy];
  return paint(colors.map((color, index) => ({ color, covers: arch(radii[index] ?? 0) })));
}

function polygon(points: readonly Point[]): Shape["covers"] {
  return (x, y) => {
    let inside = false;
    for (const [index, [ax, ay]] of points.entries()) {
      const [bx, by] = points.at(index - 1) ?? [0, 0];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
    return inside;
  };
}

/** Returns the intersection of two circles with the same radius, which has the shape of a leaf. */
function lens(a: Point, b: Point, radius: number): Shape["covers"] {
  return (x, y) => [a, b].every(([cx, cy]) => Math.hypot(x - cx, y - cy) < radius);
}

function arch(radius: number): Shape["covers"] {
  const [middle, spring, ground] = [0.5, 0.5, 0.92];
  return (x, y) => {
    if (y > ground || Math.abs(x - middle) > radius) return false;
    return y > spring || Math.hypot(x - middle, y - spring) < radius;
  };
}

function paint(shapes: readonly Shape[]): Uint8Array {
  const stride = 1 + PIXELS * 4;
  const raw = new Uint8Array(stride * PIXELS);
  for (let y = 0; y < PIXELS; y += 1) {
    for (let x = 0; x < PIXELS; x += 1) raw.set(pixel(shapes, x, y), y * stride + 1 + x * 4);
  }
  return png(raw);
}

function pixel(shapes: readonly Shape[], x: number, y: number): number[] {
  const sum = [0, 0, 0];
  let hits = 0;
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const px = (x + ((sample % SAMPLES) + 0.5) / SAMPLES) / PIXELS;
    const py = (y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / PIXELS;
    const top = shapes.findLast(({ covers }) => covers(px, py));
    if (top === undefined) continue;
    hits += 1;
    for (const [channel, value] of top.color.entries()) sum[channel] = (sum[channel] ?? 0) + value;
  }
  if (hits === 0) return [0, 0, 0, 0];
  const color = sum.map((value) => Math.round(value / hits));
  return [...color, Math.round((hits * 255) / (SAMPLES * SAMPLES))];
}

function png(raw: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PIXELS, 0);
  header.writeUInt32BE(PIXELS, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits per channel, RGBA
  const body = deflateSync(raw, { level: 9 });
  const end = new Uint8Array(0);
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", body), chunk("IEND", end)]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
