// The first characters of a streamed text, looked at before it is read.

export interface TextHead {
  head: string
  /** The head is all there is. */
  isWhole: boolean
  /** The text, from `skipLength` characters on, which must lie within the head. */
  rest(skipLength: number): AsyncIterable<string>
}

const HEAD_LENGTH = 65_536

/** Exactly the first 64 Ki characters, however the text was cut. */
export async function takeTextHead(texts: AsyncIterable<string>): Promise<TextHead> {
  const source = texts[Symbol.asyncIterator]()
  let taken = ''
  let isWhole = false
  while (taken.length <= HEAD_LENGTH && !isWhole) {
    const next = await source.next()
    if (next.done) isWhole = true
    else taken += next.value
  }
  return {
    head: taken.slice(0, HEAD_LENGTH),
    isWhole: taken.length <= HEAD_LENGTH,
    rest: skipLength => restOf(taken.slice(skipLength), source),
  }
}

async function* restOf(taken: string, source: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield taken
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  } finally {
    await source.return?.()
  }
}
