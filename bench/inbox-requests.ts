/** The requests of the benchmark of the inbox: queries by name. */
import { toId } from './inbox-dataset.ts'

export type Requests = Record<string, string>

const user = toId('user 3')

/** Every filter, alone and with others: common, rare, rare and old, without a result. */
export const filters: Requests = {
  none: '',
  'the list of the guide': 'status=open,pending&assignedUserId=none&unread=true',
  'open or pending': 'status=open,pending',
  'assigned to nobody': 'assignedUserId=none',
  open: 'status=open',
  closed: 'status=closed',
  unread: 'unread=true',
  'unread and open': 'unread=true&status=open',
  read: 'unread=false',
  assigned: `assignedUserId=${user}`,
  'assigned and open': `assignedUserId=${user}&status=open`,
  'assigned to nobody known': `assignedUserId=${toId('nobody')}`,
  'large account': `accountId=${toId('account 1')}`,
  'small account, pending': `accountId=${toId('account 3')}&status=pending`,
  'no such account': `accountId=${toId('nobody')}`,
  'common label': 'label=visita',
  'rare label': 'label=vip',
  'no such label': 'label=nada',
  'rare label, open': 'label=vip&status=open',
  'rare label, assigned': `label=vip&assignedUserId=${user}`,
  'two rare conditions': 'label=precio&status=pending&unread=true',
  snoozed: 'snoozed=true',
  'snoozed, unread': 'snoozed=true&unread=true',
  'snoozed, rare label': 'snoozed=true&label=vip',
}

export const searches: Requests = {
  'a very common word': 'q=piso',
  'a common word': 'q=hipoteca',
  'a rare word': 'q=embarcadero',
  'a word of 1,000 messages': 'q=trastero',
  'half a word': 'q=embarc',
  'two common words': 'q=calle+mallorca',
  'a common and a rare word': 'q=piso+embarcadero',
  'two common words that never meet': 'q=mallorca+balmes',
  'two rare words that never meet': 'q=trastero+embarcadero',
  'the beginning of 2,000 references': 'q=ref471',
  'the beginning of all references': 'q=ref',
  'no such word': 'q=xyzzy',
  'an accent': 'q=documentaci%C3%B3n',
  'a reference': 'q=ref4711',
  'a name': 'q=marta+soler+4711',
  'a phone': 'q=600+00+47+11',
  'an id that no lead has': 'q=ES.4711',
  'names of 1,100 leads, in no message': 'q=marta+soler+47',
  'a common word, open': 'q=terraza&status=open',
  'a rare word, unread': 'q=trastero&unread=true',
  'names of 1,100 leads, unread': 'q=marta+soler+47&unread=true',
  'the beginning of all phones': 'q=600',
}

/** Within the conversation with 5,000 messages. */
export const withinConversation: Requests = {
  'the newest messages': '',
  'within it: a very common word': 'q=piso',
  'within it: a rare word': 'q=trastero',
  'within it: two common words': 'q=calle+mallorca',
  'within it: no such word': 'q=xyzzy',
}
