/** The schemas of the place of an event type: its fields depend on the mode. */
import { nullable, oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'
import { httpsPattern, nullableText, toOptional } from '../../../kit/schema-fields.ts'

export const locationModes = ['onsite', 'call', 'video'] as const
export type LocationMode = (typeof locationModes)[number]

const instructions = nullableText(2000, 'What the visitor should know, such as where to ring.')
const fields = {
  onsite: {
    address: nullableText(500, 'The address; null: that of the property of the lead.'),
    latitude: nullable(Type.Number({ minimum: -90, maximum: 90, description: 'The latitude, in degrees.' })),
    longitude: nullable(
      Type.Number({ minimum: -180, maximum: 180, description: 'The longitude, in degrees.' }),
    ),
    instructions,
    useLeadProperty: Type.Boolean({
      description:
        'The appointment of a lead takes place at its property, if its address is known. Default: true.',
    }),
  },
  call: {
    phone: nullable(
      Type.String({
        pattern: '^\\+[1-9][0-9]{6,14}$',
        description: 'The phone number that the visitor calls, E.164.',
        examples: ['+34600000001'],
      }),
    ),
    whoCalls: oneOf(['agent', 'visitor'], { description: 'Who calls. Default: agent.' }),
  },
  video: {
    url: nullable(
      Type.String({
        format: 'uri',
        pattern: httpsPattern,
        maxLength: 2000,
        description: 'The address of the meeting; null: the agent sends it later.',
        examples: ['https://meet.example.com/visit'],
      }),
    ),
    instructions,
  },
}

export const OnsiteDetails = strictObject(fields.onsite, { title: 'OnsiteDetails' })
export const CallDetails = strictObject(fields.call, { title: 'CallDetails' })
export const VideoDetails = strictObject(fields.video, { title: 'VideoDetails' })
export type OnsiteDetails = Static<typeof OnsiteDetails>
export type CallDetails = Static<typeof CallDetails>
export type VideoDetails = Static<typeof VideoDetails>
export type LocationDetails = OnsiteDetails | CallDetails | VideoDetails

export const LocationDetails = Type.Union([OnsiteDetails, CallDetails, VideoDetails], {
  description: 'Where it takes place. The fields depend on `locationMode`.',
})

/** By mode: the fields that a request may send. */
export const locationInputs = {
  onsite: strictObject(toOptional(fields.onsite)),
  call: strictObject(toOptional(fields.call)),
  video: strictObject(toOptional(fields.video)),
}
