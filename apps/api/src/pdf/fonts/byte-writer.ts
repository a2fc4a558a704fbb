/** Grows as it is written; numbers are big-endian. */
export class ByteWriter {
  length = 0;
  private buffer: Uint8Array;
  private view: DataView;

  constructor(capacity = 256) {
    this.buffer = new Uint8Array(Math.max(16, capacity));
    this.view = new DataView(this.buffer.buffer);
  }

  u8(value: number): void {
    this.reserve(1);
    this.view.setUint8(this.length, value);
    this.length += 1;
  }

  u16(value: number): void {
    this.reserve(2);
    this.view.setUint16(this.length, value);
    this.length += 2;
  }

  i16(value: number): void {
    this.u16(value & 0xffff);
  }

  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.length, value);
    this.length += 4;
  }

  bytes(data: Uint8Array): void {
    this.reserve(data.length);
    this.buffer.set(data, this.length);
    this.length += data.length;
  }

  align4(): void {
    while (this.length & 3) this.u8(0);
  }

  /** The bytes written so far, sharing this writer's memory. */
  done(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(extra: number): void {
    if (this.length + extra <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + extra));
    larger.set(this.buffer);
    this.buffer = larger;
    this.view = new DataView(larger.buffer);
  }
}
