/** Load tests of a URL, and their statistics. */
import autocannon from 'autocannon'
import { Agent } from 'undici'

export interface LoadFigures {
  requestsPerSecond: number
  p99Ms: number
}

export const connections = 16

/** Requests `path` with each key in turn for this number of seconds. Throws if any reply is not 2xx. */
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

/** The quantile of the values: `share` is 0.5 for the median, and 1 for the maximum. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

export interface PreparedRequest {
  url: string
  headers: Record<string, string>
  body: string
}

export interface PostFigures {
  perSecond: number
  latenciesMs: number[]
}

/** Sends a request with undici, without reading the reply: a client that parses it adds its own pauses. Returns ms. */
function measureDispatch(agent: Agent, options: Agent.DispatchOptions & { origin: string }): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    const startedMs = performance.now()
    let status = 0
    agent.dispatch(options, {
      onRequestStart() {},
      onResponseStart(_controller, code) {
        status = code
      },
      onResponseData() {},
      onResponseEnd() {
        if (status < 300) resolve(performance.now() - startedMs)
        else reject(new Error(`${options.origin}${options.path}: ${status}`))
      },
      onResponseError: (_controller, error) => reject(error),
    })
  })
}

const getAgent = new Agent({ connections: 1 })

/** Gets a URL, compressed as for a browser. Returns ms. Throws if the reply is not 2xx. */
export function measureGet(url: string, headers: Record<string, string>): Promise<number> {
  const { origin, pathname, search } = new URL(url)
  const path = pathname + search
  return measureDispatch(getAgent, {
    origin,
    path,
    method: 'GET',
    headers: { 'accept-encoding': 'gzip', ...headers },
  })
}

/** Posts every request once, with this concurrency, as fast as possible. Throws if a reply is not 2xx. */
export async function postAll(requests: PreparedRequest[], concurrency: number): Promise<PostFigures> {
  const agent = new Agent({ connections: concurrency })
  const latenciesMs: number[] = []
  const post = async ({ url, headers, body }: PreparedRequest) => {
    const { origin, pathname: path } = new URL(url)
    latenciesMs.push(await measureDispatch(agent, { origin, path, method: 'POST', headers, body }))
  }
  const left = requests.values()
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const request of left) await post(request)
    }),
  )
  const perSecond = requests.length / ((performance.now() - startedMs) / 1000)
  await agent.close()
  return { perSecond, latenciesMs }
}
