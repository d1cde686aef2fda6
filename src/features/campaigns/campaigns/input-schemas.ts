/** What requests send of a campaign. */

import { pageQuery } from '../../../kit/page.ts'
import { commaSeparated, oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'
import { toOptional } from '../../../kit/schema-fields.ts'
import type { Portals } from '../../platforms/service.ts'
import { listCampaignPortals, otherSources } from './platforms.ts'
import { accountId, campaignModes, campaignStatuses, contactMode, mode, name } from './schemas.ts'
import { CampaignSettingsInput } from './settings-schemas.ts'

const toFields = (portals: Portals) => ({
  name,
  platform: oneOf([...listCampaignPortals(portals), ...otherSources], {
    description: 'The source: a portal, `csv_import`, `widget` or `social_ads`.',
  }),
  mode,
  contactMode,
  segmentation: Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'What it takes from its source. A portal: `filters`, `expectedResults`, `totalResults`, `messageRestartDate`; `csv_import`: `batchSize`; other sources: empty. Omitted fields keep their value; `filters` are replaced as a whole.',
      },
    ),
  ),
  settings: CampaignSettingsInput,
  accountId,
})

/** The body of `POST /campaigns`. */
export function newCampaign(portals: Portals) {
  const { name, platform, ...others } = toFields(portals)
  return strictObject({ ...toOptional(others), name, platform }, { title: 'NewCampaign' })
}

/** The body of `PATCH /campaigns/{id}`. */
export const campaignChanges = (portals: Portals) =>
  strictObject(
    {
      ...toOptional(toFields(portals)),
      allUrlsChecked: Type.Optional(
        Type.Boolean({
          description:
            'True: the incremental sync of the current run is completed. What it has still to check is dropped.',
        }),
      ),
    },
    { title: 'CampaignChanges' },
  )

export const StatusChange = strictObject(
  {
    status: oneOf(campaignStatuses, {
      description: '`running`: start or resume it; `paused`: pause it. The program sets the other ones.',
    }),
  },
  { title: 'CampaignStatusChange' },
)

export const campaignFilter = (portals: Portals) =>
  strictObject({
    status: Type.Optional(
      commaSeparated(campaignStatuses, {
        description: 'Only campaigns with one of these statuses: `draft`, `running`, `paused`, `completed`.',
        examples: ['running,paused'],
      }),
    ),
    platform: Type.Optional(
      commaSeparated([...listCampaignPortals(portals), ...otherSources], {
        description:
          'Only campaigns of one of these sources: a portal, `csv_import`, `widget`, `social_ads`.',
        examples: ['portal_a,csv_import'],
      }),
    ),
    mode: Type.Optional(oneOf(campaignModes, { description: 'Only campaigns in this mode.' })),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Only campaigns whose name contains this text. Case and accents do not matter.',
      }),
    ),
    ...pageQuery,
  })
export type CampaignFilter = Static<ReturnType<typeof campaignFilter>>
export type NewCampaign = Static<ReturnType<typeof newCampaign>>
export type CampaignInput = Static<ReturnType<typeof campaignChanges>>
