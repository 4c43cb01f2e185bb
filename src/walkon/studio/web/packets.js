// Binary packets from the server: who plays which clip from which frame on, and where.

export const COMMITS = 1;
export const HISTORY = 2;

const HEADER_BYTES = 16;

/**
 * Read a packet. Everything is checked against the bytes there are: a cut-off packet must not become people in
 * odd places. Returns {kind, frame, who (M), starts (M + 1), clips (S), frames (S), placements (3 S)}, views into
 * the buffer.
 */
export function readPacket(buffer) {
  if (buffer.byteLength < HEADER_BYTES) throw new Error("packet is shorter than its header");
  const head = new DataView(buffer);
  const kind = head.getUint8(0);
  const version = head.getUint8(1);
  if (version !== 1) throw new Error(`packet version ${version} is not known here; reload the page`);
  const frame = head.getUint32(4, true);
  const people = head.getUint32(8, true);
  const segments = head.getUint32(12, true);
  const expected = HEADER_BYTES + 4 * (people + people + 1 + 5 * segments);
  if (buffer.byteLength !== expected) {
    throw new Error(`packet has ${buffer.byteLength} bytes, its header says ${expected}`);
  }
  let offset = HEADER_BYTES;
  const take = (Kind, count) => {
    const view = new Kind(buffer, offset, count);
    offset += 4 * count;
    return view;
  };
  return {
    kind,
    frame,
    who: take(Uint32Array, people),
    starts: take(Uint32Array, people + 1),
    clips: take(Uint32Array, segments),
    frames: take(Uint32Array, segments),
    placements: take(Float32Array, 3 * segments),
  };
}
