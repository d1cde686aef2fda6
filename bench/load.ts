/** Load on an address, and the figures that are compared. */
import autocannon from 'autocannon'

export interface LoadFigures {
  requestsPerSecond: number
  p99Ms: number
}

export const connections = 16

/** Asks `path` with each key in turn for so many seconds. Throws if anything but 2xx came back. */
export async function load(url: string, path: string, keys: string[], seconds: number): Promise<LoadFigures> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: keys.map(key => ({ method: 'GET' as const, path, headers: { 'x-api-key': key } })),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}${path}: ${result.non2xx} refused, ${result.errors} broken`)
  return { requestsPerSecond: result.requests.average, p99Ms: result.latency.p99 }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/** The value that a share of them does not exceed. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
