/** AI replies: their routes, jobs and hooks. */
import { on } from '../../../kit/hook.ts'
import { jobSchedule } from '../../../kit/jobs/job-schedule.ts'
import { conversationsJoined, conversationsRefused, conversationsSeparated } from '../../messaging/service.ts'
import { erasePersonData } from '../../privacy/service.ts'
import type { FeaturePart } from '../parts.ts'
import type { AnswerDependencies } from './answer.ts'
import { dropAnswers } from './drafts.ts'
import { erasePeopleFromReplies } from './erasure.ts'
import { aiEvents } from './events.ts'
import {
  answerSchedule,
  answerWithAi,
  deleteExpiredReplies,
  startDueAnswers,
  wakeAiWhenWritten,
} from './jobs.ts'
import { joinAi, separateAi } from './joined-conversations.ts'
import { aiPersonData } from './person-data.ts'
import { findNextReplyExpiry } from './retention.ts'
import { aiRoutes } from './routes.ts'

export const aiParts = (dependencies: AnswerDependencies): FeaturePart => ({
  routes: aiRoutes(dependencies),
  jobs: [answerWithAi(dependencies), deleteExpiredReplies],
  deploymentJobs: [startDueAnswers],
  scheduledTasks: [answerSchedule, jobSchedule(deleteExpiredReplies, findNextReplyExpiry)],
  subscribers: [wakeAiWhenWritten],
  events: aiEvents,
  hooks: [
    on(erasePersonData, erasePeopleFromReplies),
    on(conversationsJoined, joinAi),
    on(conversationsRefused, dropAnswers),
    on(conversationsSeparated, separateAi),
  ],
  personData: aiPersonData,
})
