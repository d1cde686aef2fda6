/**
 * Publishes the texts of all statements in tenants, for tests that check them. Without a subscriber it costs one check.
 */
import { type Channel, channel } from 'node:diagnostics_channel'

export const tenantStatements: Channel<unknown, { text: string }> = channel('aldaba:tenant-statement')

export function publishStatement(text: string): void {
  if (tenantStatements.hasSubscribers) tenantStatements.publish({ text })
}
