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
  const sorted = Array.from({ length: pairs.length / 2 }, (_, index) => 2 * index).sort(
    (one, other) => pairs[one]! - pairs[other]!,
  )
  for (const at of sorted) appendSpan(spans, pairs[at]!, pairs[at + 1]!)
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

export function intersectSpans(one: Spans, other: Spans): Spans {
  const spans: Spans = []
  let left = 0
  let right = 0
  while (left < one.length && right < other.length) {
    appendSpan(spans, Math.max(one[left]!, other[right]!), Math.min(one[left + 1]!, other[right + 1]!))
    if (one[left + 1]! < other[right + 1]!) left += 2
    else right += 2
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

/** Combines by pairs, then pairs of pairs: with n lists, every span is copied log n times and not n times. */
export function combineSpans(lists: Spans[], combine: (one: Spans, other: Spans) => Spans): Spans {
  let level = lists
  while (level.length > 1) {
    const next: Spans[] = []
    for (let at = 0; at < level.length; at += 2)
      next.push(at + 1 < level.length ? combine(level[at]!, level[at + 1]!) : level[at]!)
    level = next
  }
  return level[0] ?? []
}

/** The times, which are in order, that are not in `spans`. */
export function filterOutside(timesMs: readonly number[], spans: Spans): number[] {
  let at = 0
  return timesMs.filter(timeMs => {
    while (at < spans.length && spans[at + 1]! <= timeMs) at += 2
    return at >= spans.length || timeMs < spans[at]!
  })
}

export function isInside(timeMs: number, spans: Spans): boolean {
  return filterOutside([timeMs], spans).length === 0
}
