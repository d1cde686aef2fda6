/** How long a message waits to be sent. What a person writes is soon out of date. */

const waitHours = { text: 24, template: 72 }

/** When a message that could be sent since then fails if it is still queued. */
export const getExpiry = (kind: string, since: Date): Date =>
  new Date(since.getTime() + (kind === 'template' ? waitHours.template : waitHours.text) * 3_600_000)
