/** No attempt succeeds, even if the model obeys it and nothing stopped the message before. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempts } from '../../../../test/ai-attempts.ts'
import { tryAttempt } from '../../../../test/ai-obedience.ts'
import { createHttpClient } from '../../../kit/http/client.ts'
import { createOpenAiCompatible } from '../../../plugins/ai/openai-compatible.ts'
import { type AiSimulator, startAi } from '../../../simulator/ai/index.ts'

const http = createHttpClient({ reach: 'any' })
let ai: AiSimulator
beforeAll(async () => {
  ai = await startAi()
})
afterAll(() => Promise.all([ai.close(), http.close()]))

test.each(attempts)('$goal ($language): $text', async attempt => {
  const provider = createOpenAiCompatible({ url: ai.url, key: ai.key, http })
  const sent = await tryAttempt(ai, provider, attempt)
  expect(sent ?? '').not.toMatch(attempt.forbidden)
})
