/** Bodies that arrive come before bodies that are processed: a provider waits for the answer of the former. */
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a transaction waits at most, so that bodies are processed whatever arrives. */
const waitMaxMs = 25
const stepMs = 5

/** Waits until few bodies are being stored in this process, for a moment at most. */
export async function yieldToBacklog(hasBacklog: () => boolean): Promise<void> {
  for (let waitedMs = 0; hasBacklog() && waitedMs < waitMaxMs; waitedMs += stepMs) await sleep(stepMs)
}
