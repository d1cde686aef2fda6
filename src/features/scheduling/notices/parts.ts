/** Notices: their routes, jobs and hooks. */
import type { Feature } from '../../../kit/feature.ts'
import { on } from '../../../kit/hook.ts'
import { emailAnswered } from '../../messaging/service.ts'
import { appointmentChanged } from '../hooks.ts'
import { sendAgentNotice } from './agent-mail.ts'
import type { NoticeDependencies } from './dependencies.ts'
import { invitationRoute } from './invitation-route.ts'
import { noticeSchedule, sendNotices, startDueNotices } from './jobs.ts'
import { planAppointmentNotices } from './plan.ts'
import { receiveAnswer } from './receive-answer.ts'
import { noticeRoutes } from './routes.ts'

type Parts = Pick<Feature, 'routes' | 'jobs'> &
  Required<Pick<Feature, 'hooks' | 'deploymentJobs' | 'scheduledTasks'>>

export function noticeParts(dependencies: NoticeDependencies): Parts {
  return {
    routes: [...noticeRoutes, invitationRoute(dependencies)],
    jobs: [sendNotices(dependencies), sendAgentNotice(dependencies)],
    deploymentJobs: [startDueNotices],
    scheduledTasks: [noticeSchedule(dependencies)],
    hooks: [on(appointmentChanged, planAppointmentNotices), on(emailAnswered, receiveAnswer)],
  }
}
