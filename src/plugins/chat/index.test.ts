/** Requirements of every chat provider. A new provider is tested here without changes. */
import { expect, test } from 'vitest'
import { checkChat } from '../check-chat.ts'
import { simulateProvider } from '../sandbox/simulate-provider.ts'
import { chatProviders } from './index.ts'

test.each(chatProviders.map(provider => [provider.id, provider] as const))(
  '%s fulfils the contract, and so does its simulation',
  async (_id, provider) => {
    expect(await checkChat(provider)).toEqual([])
    expect(await checkChat(simulateProvider(provider))).toEqual([])
  },
  60_000,
)

test('ids are unique', () => {
  expect(new Set(chatProviders.map(({ id }) => id)).size).toBe(chatProviders.length)
})
