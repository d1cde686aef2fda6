/** Reads the headers of JPEG files. */

export interface JpegFrame {
  width: number
  height: number
  /** 1: grey, 3: colours. */
  components: number
}

/** Reads the first start-of-frame segment (SOF0 to SOF15). Skips DHT, JPG and DAC, whose markers lie in that range. */
export function parseJpegFrame(bytes: Uint8Array): JpegFrame | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = bytes[at + 1]!
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), components: bytes[at + 9]! }
  }
  return null
}
