/** The metrics at `/metrics`, for Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** A counter of one module. */
export interface CounterDefinition<L extends string> {
  /** `aldaba_…_total`. */
  name: string
  help: string
  labelNames: L[]
}

export interface Metrics {
  requests: Histogram<'method' | 'route' | 'status'>
  jobs: Histogram<'job' | 'result'>
  /** Returns the counter of this name, and registers it on the first use. */
  counter<L extends string>(definition: CounterDefinition<L>): Counter<L>
  /** Returns the metrics in the Prometheus text format. */
  render(): Promise<string>
  contentType: string
}

const secondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Creates the metrics. `countWaitingJobs` is called for each scrape, so that every process reports the same number. */
export function createMetrics(countWaitingJobs: () => Promise<number>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'aldaba_' })
  new Gauge({
    name: 'aldaba_jobs_waiting',
    help: 'Number of jobs that are due and not started.',
    registers,
    async collect() {
      this.set(await countWaitingJobs().catch(() => Number.NaN))
    },
  })
  return {
    requests: new Histogram({
      name: 'aldaba_http_request_seconds',
      help: 'Time from the first byte of a request to the end of its reply.',
      labelNames: ['method', 'route', 'status'],
      buckets: secondsBuckets,
      registers,
    }),
    jobs: new Histogram({
      name: 'aldaba_job_seconds',
      help: 'Duration of job runs.',
      labelNames: ['job', 'result'],
      buckets: [...secondsBuckets, 120, 600, 3600],
      registers,
    }),
    counter: <L extends string>(definition: CounterDefinition<L>) =>
      (registry.getSingleMetric(definition.name) as Counter<L> | undefined) ??
      new Counter({ ...definition, registers }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
