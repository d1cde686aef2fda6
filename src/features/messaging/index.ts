/** Conversations with people, and their messages in and out. */
import type { Feature } from '../../kit/feature.ts'
import { messagesPerMonth } from './quotas.ts'

export function messaging(): Feature {
  return {
    name: 'messaging',
    tags: { Messaging: 'Conversations and their messages.' },
    scopes: ['messaging:read', 'messaging:write'],
    quotas: [messagesPerMonth],
    routes: [],
    jobs: [],
    events: [],
  }
}
