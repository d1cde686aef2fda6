/** Campaigns: they find people in a source, and send them the messages of a sequence. */
import type { Feature } from '../../kit/feature.ts'
import { adParts } from './ads/parts.ts'
import type { AnswerDependencies } from './ai/answer.ts'
import { aiParts } from './ai/parts.ts'
import { recordParts } from './campaigns/parts.ts'
import type { RecordDependencies } from './campaigns/routes.ts'
import { digestParts } from './digests/parts.ts'
import type { DigestDependencies } from './digests/send.ts'
import type { EngineDependencies } from './engine/dependencies.ts'
import { engineParts } from './engine/parts.ts'
import { numbersParts } from './numbers/parts.ts'
import { outcomeParts } from './outcomes/parts.ts'
import { joinParts } from './parts.ts'
import { previewParts } from './preview/parts.ts'
import { recipientParts } from './recipients/parts.ts'
import { runParts } from './runs/parts.ts'
import { searchParts } from './searches/parts.ts'
import { settings } from './settings.ts'
import { uploadParts } from './uploads/parts.ts'
import type { WidgetDependencies } from './widget/key.ts'
import { widgetParts } from './widget/parts.ts'

type CampaignsDependencies = RecordDependencies &
  EngineDependencies &
  WidgetDependencies &
  AnswerDependencies &
  DigestDependencies

export const campaigns = (dependencies: CampaignsDependencies): Feature => ({
  name: 'campaigns',
  tags: { Campaigns: 'People of a source who get the messages of a sequence.' },
  scopes: ['campaigns:read', 'campaigns:write'],
  ...joinParts([
    recordParts(dependencies),
    recipientParts,
    engineParts(dependencies),
    runParts(dependencies),
    searchParts,
    digestParts(dependencies),
    uploadParts,
    adParts,
    widgetParts(dependencies),
    outcomeParts,
    numbersParts,
    aiParts(dependencies),
    previewParts(dependencies),
  ]),
  settings,
})
