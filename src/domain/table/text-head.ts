/** Reads the beginning of a streamed text, before the whole text is read. */

export interface TextHead {
  head: string
  /** True if the head is the whole text. */
  isWhole: boolean
  /** The text without the first `skipLength` characters, which must be within the head. */
  rest(skipLength: number): AsyncIterable<string>
}

const headLength = 65_536

/** Reads exactly the first 64 Ki characters, however the text is chunked. */
export async function readTextHead(texts: AsyncIterable<string>): Promise<TextHead> {
  const source = texts[Symbol.asyncIterator]()
  let headText = ''
  let isWhole = false
  while (headText.length <= headLength && !isWhole) {
    const next = await source.next()
    if (next.done) isWhole = true
    else headText += next.value
  }
  return {
    head: headText.slice(0, headLength),
    isWhole: headText.length <= headLength,
    rest: skipLength => getRest(headText.slice(skipLength), source),
  }
}

async function* getRest(headText: string, source: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield headText
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  } finally {
    await source.return?.()
  }
}
