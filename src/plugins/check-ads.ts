/** Checks an ad network against the contract (`ads.ts`), and lists all its problems. */
import type { AdNetwork } from './ads.ts'
import { type AdsTrial, checkAdsBehaviour } from './check-ads-behaviour.ts'
import { checkAdsBodies } from './check-ads-bodies.ts'
import { checkAdsCalls } from './check-ads-calls.ts'
import { checkCredentials, isBaseUrl } from './check-credentials.ts'
import { isCount, isFunction, isText, listBrokenRules, type Rule } from './rules.ts'

const factRules: Rule<AdNetwork>[] = [
  [
    '`id` must be lower-case letters, digits and _',
    ({ id }) => isText(id) && /^[a-z][a-z0-9_]{0,49}$/.test(id),
  ],
  ['`label` must be a string that is not empty', ({ label }) => isText(label)],
  [
    '`baseUrl` must be an http or https URL without a trailing slash, a query and credentials',
    ({ baseUrl }) => isBaseUrl(baseUrl),
  ],
  ['`keptDays` must be a whole number from 1', ({ keptDays }) => isCount(keptDays)],
  [
    '`connect`, `disconnect`, `listForms`, `readLead` and `listLeads` must be functions',
    ({ connect, disconnect, listForms, readLead, listLeads }) =>
      [connect, disconnect, listForms, readLead, listLeads].every(isFunction),
  ],
  [
    '`webhook` must have functions `challenge`, `verify` and `parse`',
    ({ webhook }) => [webhook.challenge, webhook.verify, webhook.parse].every(isFunction),
  ],
]

/**
 * One sentence per problem, with the names of the contract. Empty if the network is valid. Calls it with hostile servers on
 * loopback, which takes seconds. `trial`: a server with a page whose forms people submit, on which the network is tried.
 * A network whose facts are wrong is not called.
 */
export async function checkAds(network: AdNetwork, { trial }: { trial?: AdsTrial } = {}): Promise<string[]> {
  if (typeof network !== 'object' || network === null) return ['the network must be an object']
  const problems = [...listBrokenRules(factRules, network), ...checkCredentials(network.credentials)]
  if (problems.length > 0) return problems
  return [
    ...checkAdsBodies(network, trial?.bodies ?? []),
    ...(await checkAdsCalls(network)),
    ...(trial ? await checkAdsBehaviour(network, trial) : []),
  ]
}
