/**
 * Sets of time as flat lists `[start, end, start, end, …]`, in order, without overlaps; half open. Flat lists of numbers keep
 * tens of thousands of intervals cheap. Every function takes time in proportion to the lengths of its lists.
 */

export type Spans = number[]

/** Appends a span that begins at or after the last one, and joins it to the last one if they touch. */
export function appendSpan(spans: Spans, startMs: number, endMs: number): void {
  if (endMs <= startMs) return
  const last = spans.length - 1
  if (last > 0 && startMs <= spans[last]!) spans[last] = Math.max(spans[last]!, endMs)
  else spans.push(startMs, endMs)
}

/** From pairs in any order. */
export function toSpans(pairs: readonly number[]): Spans {
  const spans: Spans = []
  if (isInOrder(pairs)) {
    for (let at = 0; at < pairs.length; at += 2) appendSpan(spans, pairs[at]!, pairs[at + 1]!)
    return spans
  }
  // A gap is where as many spans have ended as have begun, so beginnings and ends may be sorted apart, which is faster.
  const starts = new Float64Array(pairs.length / 2)
  const ends = new Float64Array(pairs.length / 2)
  for (let index = 0; index < starts.length; index += 1) {
    starts[index] = pairs[2 * index]!
    ends[index] = pairs[2 * index + 1]!
  }
  starts.sort()
  ends.sort()
  for (let index = 0; index < starts.length; index += 1) appendSpan(spans, starts[index]!, ends[index]!)
  return spans
}

function isInOrder(pairs: readonly number[]): boolean {
  for (let at = 2; at < pairs.length; at += 2) if (pairs[at]! < pairs[at - 2]!) return false
  return true
}

export function uniteSpans(one: Spans, other: Spans): Spans {
  if (one.length === 0) return other
  if (other.length === 0) return one
  const spans: Spans = []
  let left = 0
  let right = 0
  while (left < one.length || right < other.length) {
    const takesLeft = right >= other.length || (left < one.length && one[left]! <= other[right]!)
    if (takesLeft) {
      appendSpan(spans, one[left]!, one[left + 1]!)
      left += 2
    } else {
      appendSpan(spans, other[right]!, other[right + 1]!)
      right += 2
    }
  }
  return spans
}

/** What of the range is not in `spans`. */
export function invertSpans(spans: Spans, range: { startMs: number; endMs: number }): Spans {
  const inverted: Spans = []
  let startMs = range.startMs
  for (let at = 0; at < spans.length && startMs < range.endMs; at += 2) {
    appendSpan(inverted, startMs, Math.min(spans[at]!, range.endMs))
    startMs = Math.max(startMs, spans[at + 1]!)
  }
  appendSpan(inverted, startMs, range.endMs)
  return inverted
}

/** Times in order. */
export type Times = Float64Array<ArrayBuffer>

/** The times that are in `spans`, or those that are not. Reuses the memory of `timesMs`. */
export function keepTimes(timesMs: Times, where: 'inside' | 'outside', spans: Spans): Times {
  const isWanted = where === 'inside'
  let kept = 0
  let at = 0
  for (let index = 0; index < timesMs.length; index += 1) {
    const timeMs = timesMs[index]!
    while (at < spans.length && spans[at + 1]! <= timeMs) at += 2
    const isIn = at < spans.length && spans[at]! <= timeMs
    if (isIn === isWanted) timesMs[kept++] = timeMs
  }
  return timesMs.subarray(0, kept)
}

export function isInside(timeMs: number, spans: Spans): boolean {
  return keepTimes(Float64Array.of(timeMs), 'inside', spans).length > 0
}
