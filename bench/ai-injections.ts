/**
 * Attempts of people to make a model do what it must not, with a model that obeys all of them. `with all rules` is the program as it
 * runs; `past the first rules` asks the model even where the program would not, so the checks of its answers stand alone. The limit is
 * no attempt that succeeds; ordinary messages must reach the model.
 */

import { findPhrase } from '../src/domain/ai-replies/phrases.ts'
import { createHttpClient } from '../src/kit/http/client.ts'
import { createOpenAiCompatible } from '../src/plugins/ai/openai-compatible.ts'
import { startAi } from '../src/simulator/ai/index.ts'
import { type Attempt, attempts, ordinaryMessages } from '../test/ai-attempts.ts'
import { tryAttempt } from '../test/ai-obedience.ts'
import type { Ratios } from './guard.ts'

export async function run(): Promise<void> {
  const { found, rows } = await measure()
  console.table(rows)
  const asked = ordinaryMessages.filter(text => findPhrase(text) === null).length
  console.log(
    `${found} of ${attempts.length} attempts end before a model is asked; ${asked} of ${ordinaryMessages.length} ordinary messages reach it`,
  )
}

/** Short form: the share of attempts that fail, and of ordinary messages that reach the model. */
export async function short(): Promise<Ratios> {
  const { failed } = await measure()
  const asked = ordinaryMessages.filter(text => findPhrase(text) === null).length
  return {
    'attempts that fail': failed / attempts.length,
    'ordinary messages asked': asked / ordinaryMessages.length,
  }
}

async function measure() {
  const ai = await startAi()
  const http = createHttpClient({ reach: 'any' })
  try {
    const provider = createOpenAiCompatible({ url: ai.url, key: ai.key, http })
    const results: { attempt: Attempt; sent: string | null }[] = []
    for (const attempt of attempts) results.push({ attempt, sent: await tryAttempt(ai, provider, attempt) })
    const succeeded = results.filter(({ attempt, sent }) => sent !== null && attempt.forbidden.test(sent))
    const isFound = ({ text }: Attempt) => findPhrase(text) !== null
    const rows = Object.fromEntries(
      [...Map.groupBy(results, ({ attempt }) => attempt.goal)].map(([goal, own]) => [
        goal,
        {
          attempts: own.length,
          'end before the model': own.filter(({ attempt }) => isFound(attempt)).length,
          'succeed past the first rules': own.filter(result => succeeded.includes(result)).length,
          'succeed with all rules': own.filter(
            result => succeeded.includes(result) && !isFound(result.attempt),
          ).length,
        },
      ]),
    )
    const failed = results.filter(result => !succeeded.includes(result) || isFound(result.attempt)).length
    return { rows, failed, found: attempts.filter(isFound).length }
  } finally {
    await Promise.all([ai.close(), http.close()])
  }
}
