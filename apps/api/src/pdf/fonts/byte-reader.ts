/** Reads big-endian numbers one after another; reading past the end throws a RangeError. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  pos: number;

  constructor(bytes: Uint8Array, pos = 0) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.pos = pos;
  }

  u8(): number {
    return this.view.getUint8(this.pos++);
  }

  u16(): number {
    const value = this.view.getUint16(this.pos);
    this.pos += 2;
    return value;
  }

  i16(): number {
    const value = this.view.getInt16(this.pos);
    this.pos += 2;
    return value;
  }

  u32(): number {
    const value = this.view.getUint32(this.pos);
    this.pos += 4;
    return value;
  }

  take(length: number): Uint8Array {
    if (length < 0 || this.pos + length > this.bytes.length) throw new RangeError('unexpected end of data');
    const part = this.bytes.subarray(this.pos, this.pos + length);
    this.pos += length;
    return part;
  }
}
