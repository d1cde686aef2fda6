/** One row of every tenant table of campaigns, for tenant-rows.ts. */
const id = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'

export const campaignRows: Record<string, Record<string, string>> = {
  campaigns: {
    id: `'${id}'`,
    name: "'n'",
    mode: "'extract_and_contact'",
    platform: "'csv_import'",
    settings: "'{}'",
    seed: '1',
    created_at: 'now()',
    updated_at: 'now()',
  },
  campaign_recipients: {
    id: `'${id}'`,
    campaign_id: `'${id}'`,
    lead_id: `'${id}'`,
    status: "'waiting'",
    joined_at: 'now()',
    updated_at: 'now()',
  },
  campaign_sends: {
    recipient_id: `'${id}'`,
    round: '1',
    step: '0',
    campaign_id: `'${id}'`,
    created_at: 'now()',
  },
  ai_conversations: { conversation_id: `'${id}'`, campaign_id: `'${id}'`, updated_at: 'now()' },
  ai_replies: {
    id: `'${id}'`,
    message_id: `'${id}'`,
    campaign_id: `'${id}'`,
    status: "'draft'",
    mode: "'draft'",
    created_at: 'now()',
  },
  campaign_runs: {
    id: `'${id}'`,
    campaign_id: `'${id}'`,
    status: "'running'",
    incremental: 'false',
    started_at: 'now()',
  },
  widgets: {
    campaign_id: `'${id}'`,
    allowed_origins: "'{}'",
    theme: "'auto'",
    fields: "'[]'",
    consent_texts: "'{}'",
    consent_version: '0',
    updated_at: 'now()',
  },
  widget_submissions: {
    id: `'${id}'`,
    campaign_id: `'${id}'`,
    form_id: `'${id}'`,
    lead_id: `'${id}'`,
    consent: "'{}'",
    created_at: 'now()',
  },
}
