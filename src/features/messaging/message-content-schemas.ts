/** The API schemas of what a message says besides its text: its kind, and the parts of that kind. */
import { nullable, oneOf, strictObject, type TSchema, Type, time } from '../../kit/schema.ts'
import type { MessageKind } from './message-types.ts'

const text = (description: string) => Type.String({ description })

const Email = strictObject(
  {
    subject: nullable(text('The subject; null: it has none.')),
    references: Type.Array(Type.String(), { description: 'Message-ids of the thread, the oldest first.' }),
    fullText: nullable(text('The text with the quoted messages. `text` of the message has what is new.')),
    authentication: strictObject(
      {
        spf: nullable(text('The result of SPF, such as `pass`; null: not reported.')),
        dkim: nullable(text('The result of DKIM; null: not reported.')),
        dmarc: nullable(text('The result of DMARC; null: not reported.')),
      },
      { description: 'What the receiving server found out about the sender.' },
    ),
  },
  { title: 'MessageEmail', description: 'The parts of an e-mail.' },
)

const Referral = strictObject(
  {
    source: text('The kind of source, such as `ad`.'),
    url: nullable(text('Its address; null: not known.')),
    headline: nullable(text('Its headline; null: not known.')),
  },
  { title: 'MessageReferral', description: 'Where the person comes from, such as an advertisement.' },
)

const Calendar = strictObject(
  {
    method: oneOf(['REQUEST', 'CANCEL', 'PUBLISH'], { description: 'The method of iCalendar.' }),
    text: text('The iCalendar object.'),
  },
  { title: 'MessageCalendar', description: 'The invitation to an appointment that an e-mail carries.' },
)

const Reaction = strictObject(
  {
    from: oneOf(['person', 'agency'], { description: 'The side that reacted.' }),
    emoji: text('The emoji.'),
    at: time('When they reacted.'),
  },
  { title: 'MessageReaction', description: 'A reaction to a message.' },
)

/** The parts that messages of every kind have. */
const commonParts = {
  reactions: Type.Array(Reaction, { description: 'The last reaction of the person and of the agency.' }),
  intent: nullable(
    oneOf(['opt_out', 'opt_in'], {
      description:
        'The message says only that the person wants no messages, or wants them again; null: neither.',
    }),
  ),
  email: nullable(Email),
  referral: nullable(Referral),
  calendar: nullable(Calendar),
  isTruncated: Type.Boolean({ description: 'The text was longer than what is stored.' }),
  isErased: Type.Boolean({
    description: 'It named a person who was erased: its text, its files and its other parts are gone.',
  }),
}

/** The parts of a message of which nothing is stored. */
const nothing = {
  reactions: [],
  intent: null,
  email: null,
  referral: null,
  calendar: null,
  isTruncated: false,
  isErased: false,
}

/** By kind, the content of a message that has no parts. */
export const emptyContents = {
  text: nothing,
  template: nothing,
  media: nothing,
  buttons: { ...nothing, buttons: [] },
  list: { ...nothing, button: null, sections: [] },
  location: { ...nothing, latitude: null, longitude: null, name: null, address: null },
  contacts: { ...nothing, contacts: [] },
  choice: { ...nothing, id: null, title: null },
  reaction: { ...nothing, emoji: null },
  unsupported: { ...nothing, description: null },
} satisfies Record<MessageKind, object>

/** The content of every message. Compiling the schema of each kind with all its parts would take much longer. */
export const MessageContent = Type.Object(commonParts, {
  title: 'MessageContent',
  description: 'The parts besides the text. The `kind` says which further ones there are.',
  propertyNames: { enum: [...new Set(Object.values(emptyContents).flatMap(Object.keys))] },
})

/** The content of some kinds has these parts too. */
const toContent = <T extends Record<string, TSchema>>(title: string, parts: T) =>
  Type.Object(parts, {
    title,
    description: 'The parts of this kind. Those of a deleted or erased message are null or empty.',
  })

/** A part that a deleted message has lost. */
const part = (description: string) => nullable(text(`${description}; null: it has none.`))

const Option = {
  id: text('What the choice of the person names.'),
  title: text('What the person reads.'),
}
const OptionRow = strictObject(
  { ...Option, description: part('More words') },
  { title: 'OptionRow', description: 'An option of a list.' },
)
const OptionSection = strictObject(
  { title: part('The heading'), rows: Type.Array(OptionRow, { description: 'What can be chosen.' }) },
  { title: 'OptionSection', description: 'A part of a list.' },
)
const Contact = strictObject(
  {
    name: text('The name.'),
    phones: Type.Array(Type.String(), { description: 'The phones, as the person sent them.' }),
    emails: Type.Array(Type.String(), { description: 'The addresses.' }),
  },
  { title: 'MessageContact', description: 'A contact that the person sent.' },
)

/** What the kind of a message says about its content. */
export const MessageBody = Type.Union([
  Type.Object({
    kind: oneOf(['text', 'template', 'media'], {
      description: 'A text, a rendered template, or files with a caption.',
    }),
  }),
  Type.Object({
    kind: oneOf(['buttons'], { description: 'A text with buttons.' }),
    content: toContent('ButtonsContent', {
      buttons: Type.Array(strictObject(Option, { title: 'OptionButton', description: 'A button.' }), {
        description: 'The buttons below the text.',
      }),
    }),
  }),
  Type.Object({
    kind: oneOf(['list'], { description: 'A text with a list of options.' }),
    content: toContent('ListContent', {
      button: part('The label of the button that opens the list'),
      sections: Type.Array(OptionSection, { description: 'The parts of the list.' }),
    }),
  }),
  Type.Object({
    kind: oneOf(['location'], { description: 'A place.' }),
    content: toContent('LocationContent', {
      latitude: nullable(Type.Number({ description: 'In degrees; null: deleted.' })),
      longitude: nullable(Type.Number({ description: 'In degrees; null: deleted.' })),
      name: part('Its name'),
      address: part('Its address'),
    }),
  }),
  Type.Object({
    kind: oneOf(['contacts'], { description: 'Contacts.' }),
    content: toContent('ContactsContent', {
      contacts: Type.Array(Contact, { description: 'The contacts.' }),
    }),
  }),
  Type.Object({
    kind: oneOf(['choice'], { description: 'A button or an option that the person chose.' }),
    content: toContent('ChoiceContent', {
      id: part('The id of the option'),
      title: part('What the person read'),
    }),
  }),
  Type.Object({
    kind: oneOf(['reaction'], { description: 'A reaction, sent or to an unknown message.' }),
    content: toContent('ReactionContent', { emoji: part('The emoji') }),
  }),
  Type.Object({
    kind: oneOf(['unsupported'], { description: 'A message that can’t be shown.' }),
    content: toContent('UnsupportedContent', { description: part('What it is') }),
  }),
])
