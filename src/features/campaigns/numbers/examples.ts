/** The example of the numbers of a campaign. */
import type { CampaignNumbers } from './schemas.ts'

const outcomes = { replied: 61, booked: 14, optedOut: 3 }
const messages = { sent: 412, delivered: 398, read: 301, failed: 6, blocked: 1 }
const variants = {
  A: { sent: 208, delivered: 200, read: 150, failed: 3, blocked: 1, replied: 24, booked: 5, optedOut: 2 },
  B: { sent: 204, delivered: 198, read: 151, failed: 3, blocked: 0, replied: 37, booked: 9, optedOut: 1 },
}

export const numbersExample: CampaignNumbers = {
  funnel: { found: 1830, new: 604, recipients: 604, contactable: 421, ...messages, ...outcomes },
  steps: [
    {
      step: 0,
      skipped: 0,
      queued: 2,
      ...messages,
      ...outcomes,
      variants: [
        {
          variant: 'A',
          templateId: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
          ...variants.A,
          replyRate: { rate: 0.1154, low: 0.0787, high: 0.166 },
          comparison: null,
        },
        {
          variant: 'B',
          templateId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
          ...variants.B,
          replyRate: { rate: 0.1814, low: 0.1345, high: 0.24 },
          comparison: { difference: 0.066, low: -0.0032, high: 0.1354, isSignificant: false },
        },
      ],
    },
  ],
  cost: { messages: 412, amount: 25.34, currency: 'EUR' },
}
