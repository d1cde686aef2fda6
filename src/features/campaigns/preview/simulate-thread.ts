/** A thread that runs campaigns in advance, so that large ones do not block the process. */
import { type SimulationInput, simulate } from '../../../domain/sequence/simulate.ts'
import { handleTasks } from '../../../kit/thread.ts'

handleTasks((input: SimulationInput) => simulate(input))
