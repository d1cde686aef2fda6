/** The error codes of templates. */
import type { ProblemType } from '../../kit/problem.ts'

export const languageMissing: ProblemType = {
  code: 'TEMPLATE_LANGUAGE_MISSING',
  status: 422,
  meaning: 'The template has no text in the language that the request demands.',
  action: 'Add a variant in this language, or send no language: then the default language is used.',
  example: 'The template has no text in "fr". It has texts in "es", "ca".',
}

export const templateArchived: ProblemType = {
  code: 'TEMPLATE_ARCHIVED',
  status: 422,
  meaning: 'The template was deleted. It stays readable, and can no longer be used.',
  action: 'Use another template.',
  example: 'The template "first contact" was deleted and can no longer be used.',
}

export const templateInUse: ProblemType = {
  code: 'TEMPLATE_IN_USE',
  status: 409,
  meaning:
    'Campaigns that run or are paused send the template, so it can neither be deleted nor get a text that no lead could get.',
  action:
    'Choose another template in their steps with `PATCH /campaigns/{id}`, or delete them; or give the variables of the text a fallback.',
  example: 'The template "first contact" is sent by the campaigns "Owners in Gràcia" and "Sellers".',
}

export const templateErased: ProblemType = {
  code: 'TEMPLATE_ERASED',
  status: 422,
  meaning: 'The text contained data of a person who was erased, and was emptied.',
  action: 'Write the text again, with variables instead of the data of one person.',
  example: 'The text of the template "first contact" in "es" was erased with the data of a person.',
}

export const templateFailed: ProblemType = {
  code: 'TEMPLATE_FAILED',
  status: 422,
  meaning: 'The template cannot be rendered with these values, or the text would be empty or too long.',
  action: 'Correct the template at the line and column of the message, or the values.',
  example:
    'The template "first contact" in "es" failed at line 1, column 7: the filter round needs a number.',
}

export const missingVariable: ProblemType = {
  code: 'MISSING_VARIABLE',
  status: 422,
  meaning:
    'Variables of the template have no value and no fallback, or its header shows a file or a place that was not sent. Nothing is sent with a gap.',
  action: 'Complete the lead, send the values as `variables` and `header`, or give the variables a fallback.',
  example: 'The template needs values for contact.name, visitDate.',
}

/** The largest number of templates that are not deleted. */
export const templatesMax = 1000

export const tooManyTemplates: ProblemType = {
  code: 'TOO_MANY_TEMPLATES',
  status: 422,
  meaning: 'The environment has as many templates as it may.',
  action: 'Delete a template that is no longer used.',
  example: `There are ${templatesMax} templates already, the maximum. Delete one that is no longer used.`,
}

export const approvalNotNeeded: ProblemType = {
  code: 'APPROVAL_NOT_NEEDED',
  status: 422,
  meaning: 'The provider of the account sends templates without an approval.',
  action: 'Send the template: nothing is to be submitted or synchronized.',
  example: 'Telegram sends templates without an approval: nothing is to be submitted.',
}

export const templateNotSubmittable: ProblemType = {
  code: 'TEMPLATE_NOT_SUBMITTABLE',
  status: 422,
  meaning:
    'The text has tags (if, for, assign), which a provider cannot evaluate, several variables in a header or an address, a button that only another provider knows, or a part that is too long for the provider: `errors` has pointers into the text.',
  action:
    'Write a text with variables and filters alone, and shorten what is too long; use several templates instead of conditions.',
  example:
    'The template "First contact" in "es" cannot be submitted, line 1, column 1: a text that a provider approves has no tags, only variables and filters: {% if contact.name %}.',
}
