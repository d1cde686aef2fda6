/** Rules of the Valencian Community. */
import { hasAgentLicence, isHome } from '../predicates.ts'
import { type AdvertisingRule, rulesOf } from '../rule.ts'

export const valenciaRules: AdvertisingRule[] = rulesOf(
  {
    country: 'ES',
    region: 'ES-VC',
    law: {
      title: 'Decret 98/2022',
      article: null,
      url: 'https://dogv.gva.es/portal/ficha_disposicion_pc.jsp?sig=007339/2022&L=0',
    },
    from: '2022-10-16',
    until: null,
    confirmation: 'none',
    checkedAgainst:
      'The register is compulsory (gva.es). That advertising has to state the number was not found.',
  },
  [
    {
      code: 'AGENT_LICENCE_MISSING',
      field: 'agent.licence',
      severity: 'recommended',
      message: 'Agents are registered in the Valencian Community: state the number in the register.',
      applies: isHome,
      isMet: hasAgentLicence,
    },
  ],
)
