/** The texts of the statements that are sent inside a tenant, for whoever holds them to rules. Without a subscriber it is one check. */
import { type Channel, channel } from 'node:diagnostics_channel'

export const tenantStatements: Channel<unknown, { text: string }> = channel('aldaba:tenant-statement')

export function publishStatement(text: string): void {
  if (tenantStatements.hasSubscribers) tenantStatements.publish({ text })
}
