/** Runs campaigns in advance on few threads, which the tenants share. */
import type { Simulation, SimulationInput } from '../../../domain/sequence/simulate.ts'
import { createThreadPool } from '../../../kit/thread-pool.ts'

export const simulations = createThreadPool<SimulationInput, Simulation>({
  name: 'previews',
  module: new URL('./simulate-thread.ts', import.meta.url),
  size: 1,
})
