/** The first characters of a streamed text, looked at before it is read. */

export interface TextHead {
  head: string
  /** The head is all there is. */
  isWhole: boolean
  /** The text, from `skipLength` characters on, which must lie within the head. */
  rest(skipLength: number): AsyncIterable<string>
}

const headLength = 65_536

/** Exactly the first 64 Ki characters, however the text was cut. */
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
