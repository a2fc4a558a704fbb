import { ByteReader } from '../fonts/byte-reader.ts';
import { type Artwork, mostPixels } from './artwork.ts';

/** Colour space by number of components; CMYK of the usual writers is inverted (Adobe marker). */
const colourSpaces: Record<number, string> = {
  1: '/DeviceGray',
  3: '/DeviceRGB',
  4: '/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]',
};

/**
 * A JPEG goes into a PDF as it is; only its size and number of components are read.
 * @throws {Error} when it is no JPEG that PDF readers decode (baseline or progressive, 8 bits)
 */
export function readJpeg(data: Uint8Array): Artwork {
  const reader = new ByteReader(data);
  if (reader.u16() !== 0xffd8) throw new Error('not a JPEG');
  for (;;) {
    const marker = reader.u16();
    if (marker < 0xff00) throw new Error('JPEG is damaged');
    const length = reader.u16();
    if (marker >= 0xffc0 && marker <= 0xffc2) return fromFrame(reader, data);
    if (marker === 0xffda) throw new Error('JPEG without a frame');
    reader.take(length - 2);
  }
}

function fromFrame(reader: ByteReader, data: Uint8Array): Artwork {
  const bits = reader.u8();
  const height = reader.u16();
  const width = reader.u16();
  const space = colourSpaces[reader.u8()];
  if (bits !== 8 || space === undefined || width === 0 || height === 0 || width * height > mostPixels) {
    throw new Error('JPEG of an unsupported kind or size');
  }
  const entries =
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace${space}` +
    '/BitsPerComponent 8/Filter/DCTDecode';
  return { ratio: width / height, write: (file) => file.stream(entries, data) };
}
