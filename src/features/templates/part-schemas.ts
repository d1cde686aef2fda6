/** The schemas of the API for what is around the body of a template. */
import { nullable, oneOf, strictObject, Type, visible } from '../../kit/schema.ts'
import { templateButtonKinds, templateHeaderKinds } from '../../plugins/chat.ts'

const headerKind = oneOf(templateHeaderKinds, {
  description: 'What it shows. A file or a place comes with each message, as its `header`.',
})
const headerText = 'The text, with variables like the body; null: another kind.'
const buttonKinds = templateButtonKinds.filter(kind => kind !== 'other')
const buttonValue =
  'By kind: the address (`url`), the number (`phone`), the code that is copied (`copy_code`), or what the provider returns when the button is pressed (`quick_reply`; null: the title). With variables like the body. An address begins with `https://` or `http://`. What a variable prints in it is escaped, except for slashes. An own variable at its end may bring a query; an address may begin with a variable that is an address (`{{ property.url }}`). Providers that approve templates accept one variable in an address, at its end.'

const SentHeader = strictObject(
  {
    kind: headerKind,
    text: Type.Optional(
      nullable(Type.String({ maxLength: 1000, pattern: visible, description: headerText })),
    ),
  },
  { title: 'NewTemplateHeader', description: 'What is above the body.' },
)
const SentButton = strictObject(
  {
    kind: oneOf(buttonKinds, { description: 'What it does.' }),
    title: Type.String({ maxLength: 100, pattern: visible, description: 'What the person reads.' }),
    value: Type.Optional(
      nullable(Type.String({ maxLength: 2000, pattern: visible, description: buttonValue })),
    ),
  },
  { title: 'NewTemplateButton', description: 'A button below the text.' },
)

export const sentPartFields = {
  header: Type.Optional(nullable(SentHeader)),
  footer: Type.Optional(
    nullable(
      Type.String({
        maxLength: 200,
        pattern: `^(?=[^{}]*${visible})[^{}]*$`,
        description: 'A line below the body, without variables.',
        examples: ['Agencia Sol'],
      }),
    ),
  ),
  buttons: Type.Optional(Type.Array(SentButton, { maxItems: 10, description: 'Buttons below the text.' })),
}

const Header = strictObject(
  { kind: headerKind, text: nullable(Type.String({ description: headerText })) },
  { title: 'TemplateHeader', description: 'What is above the body.' },
)
const Button = strictObject(
  {
    kind: oneOf(templateButtonKinds, {
      description: 'What it does; `other`: something that only the provider knows.',
    }),
    title: Type.String({ description: 'What the person reads.' }),
    value: nullable(Type.String({ description: buttonValue })),
  },
  { title: 'TemplateButton', description: 'A button below the text.' },
)

export const partFields = {
  header: nullable(Header),
  footer: nullable(Type.String({ description: 'A line below the body; null: none.' })),
  buttons: Type.Array(Button, { description: 'Buttons below the text.' }),
}
