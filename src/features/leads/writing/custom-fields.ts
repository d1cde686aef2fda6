/** Custom fields that the program fills in. */
import type { Tx } from '../../../kit/db/index.ts'
import type { CustomValue } from '../record/lead-input.ts'
import { applyInputs } from './apply-inputs.ts'

/** Other fields keep their values. The lead of an unknown id has none. Call this after `lockLeadWrites`. */
export async function changeCustomFields(
  tx: Tx,
  leadId: string,
  customFields: Record<string, CustomValue>,
): Promise<void> {
  await applyInputs(tx, [{ leadId, input: { customFields } }], {
    author: { keyId: null, userId: null },
    ifMatch: null,
  })
}
