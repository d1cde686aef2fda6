/** What subscribers hear about a workspace. */
import { quotaThresholdReached } from '../../kit/quota.ts'

export const identityEvents = [quotaThresholdReached]
