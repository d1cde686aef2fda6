/** The exceptions from the isolation of tenants, each with its reason. */

/** Tables without tenant_id, with the reason. All other tables belong to tenants. */
export const globalTables: Record<string, { why: string; serviceMay: string[] }> = {
  schema_migrations: { why: 'the applied migrations', serviceMay: [] },
  deployment_metadata: { why: 'facts of the deployment, read by the owner alone', serviceMay: [] },
  workspaces: {
    why: 'shared by both tenants of a workspace; a policy shows only that workspace',
    serviceMay: ['SELECT'],
  },
  tenants: {
    why: 'the tenants themselves; a policy shows those of the current workspace',
    serviceMay: ['SELECT'],
  },
  users: {
    why: 'users work in both environments; a policy shows those of the current workspace',
    serviceMay: ['SELECT'],
  },
  workspace_settings: {
    why: 'shared by both environments of a workspace; a policy allows those of the current workspace',
    serviceMay: ['INSERT', 'SELECT', 'UPDATE'],
  },
  passwords: {
    why: 'its hash authenticates a user before the tenant is known',
    serviceMay: ['DELETE', 'INSERT', 'SELECT', 'UPDATE'],
  },
  password_tokens: {
    why: 'its hash allows to set a password before the tenant is known',
    serviceMay: ['DELETE', 'INSERT', 'SELECT', 'UPDATE'],
  },
  sessions: {
    why: 'the hash of its token finds the tenants of a session',
    serviceMay: ['DELETE', 'INSERT', 'SELECT', 'UPDATE'],
  },
  sign_in_attempts: {
    why: 'attempts by unknown callers, with addresses that may belong to no user',
    serviceMay: ['DELETE', 'INSERT', 'SELECT', 'UPDATE'],
  },
  market_listings: {
    why: 'keyed hashes that identify the listings of market properties, shared by the deployment',
    serviceMay: ['INSERT', 'SELECT', 'UPDATE'],
  },
  market_models: {
    why: 'fitted model parameters of a market, shared by the deployment',
    serviceMay: ['INSERT', 'SELECT', 'UPDATE'],
  },
  market_prices: {
    why: 'the price history of market properties, shared by the deployment',
    serviceMay: ['INSERT', 'SELECT', 'UPDATE'],
  },
  market_properties: {
    why: 'facts of listings without personal data, for comparables, shared by the deployment',
    serviceMay: ['INSERT', 'SELECT', 'UPDATE'],
  },
  portal_health: {
    why: 'the health of portals, shared by the deployment',
    serviceMay: ['INSERT', 'SELECT', 'UPDATE'],
  },
  throttle_leases: {
    why: 'requests in progress, since rate limits hold for the whole deployment',
    serviceMay: ['DELETE', 'INSERT', 'SELECT', 'UPDATE'],
  },
  throttles: {
    why: 'when the next request to a portal is allowed, since rate limits hold for the whole deployment',
    serviceMay: ['INSERT', 'SELECT', 'UPDATE'],
  },
}

/** Tables whose policy does not apply to their owner: the reason, and the owner's view for the service. */
export const searchedTables: Record<string, { why: string; view: string }> = {
  lead_search: { why: 'a policy would prevent the use of its index (decision 11)', view: 'lead_documents' },
  message_search: { why: 'as for lead_search', view: 'message_documents' },
}

/**
 * Tables that find the tenant of a token: their primary keys begin with its hash. Otherwise they are like other
 * tenant tables.
 */
export const tokenTables: Record<string, { key: string }> = {
  key_hashes: { key: 'hash' },
  share_tokens: { key: 'token_hash' },
}

/** Every policy besides the tenant_isolation of each tenant table. */
export const otherPolicies = [
  'ad_connections owner_bypass select aldaba: true / null',
  'ad_leads owner_bypass select aldaba: true / null',
  'accounts owner_bypass select aldaba: true / null',
  'slot_holds owner_bypass select aldaba: true / null',
  'travel_times owner_bypass select aldaba: true / null',
  'appointments owner_bypass select aldaba: true / null',
  'appointment_notices owner_bypass select aldaba: true / null',
  'calendars owner_bypass select aldaba: true / null',
  'calendar_writes owner_bypass select aldaba: true / null',
  'api_keys owner_bypass all aldaba: true / true',
  'event_retries owner_bypass select aldaba: true / null',
  'event_sequences owner_bypass select aldaba: true / null',
  'event_subscribers owner_bypass select aldaba: true / null',
  'events owner_bypass select aldaba: true / null',
  'blob_references owner_bypass select aldaba: true / null',
  'blob_removals owner_bypass select aldaba: true / null',
  'ai_conversations owner_bypass select aldaba: true / null',
  'campaigns owner_bypass select aldaba: true / null',
  'campaign_runs owner_bypass select aldaba: true / null',
  'campaign_searches owner_bypass select aldaba: true / null',
  'clocks owner_bypass select aldaba: true / null',
  'conversations owner_bypass select aldaba: true / null',
  'extractions owner_bypass select aldaba: true / null',
  'fichas owner_bypass select aldaba: true / null',
  'imports owner_bypass select aldaba: true / null',
  'inbound_bodies owner_bypass select aldaba: true / null',
  'key_hashes owner_bypass all aldaba: true / true',
  'key_uses owner_bypass select aldaba: true / null',
  'lead_operations owner_bypass select aldaba: true / null',
  'inbox_changes owner_bypass select aldaba: true / null',
  'message_files owner_bypass select aldaba: true / null',
  'message_tasks owner_bypass select aldaba: true / null',
  'messages owner_bypass select aldaba: true / null',
  'share_tokens owner_bypass select aldaba: true / null',
  'tenants own_workspace all aldaba_service: (workspace_id = current_workspace()) / null',
  'users own_workspace all aldaba_service: (workspace_id = current_workspace()) / null',
  'webhook_deliveries owner_bypass select aldaba: true / null',
  'webhook_subscriptions owner_bypass select aldaba: true / null',
  'workspace_settings own_workspace all aldaba_service: (workspace_id = current_workspace()) / (workspace_id = current_workspace())',
  'workspaces own_workspace all aldaba_service: (id = current_workspace()) / null',
]

/** Functions with the owner's rights (security definer) that the service may call: exceptions to row level security. */
export const definerFunctions = [
  'analyze_grown_tables',
  'enqueue',
  'enter_tenant',
  'enter_with_key',
  'erase_jobs',
  'find_api_key',
  'find_login',
  'find_session',
  'find_share',
  'has_pending_jobs',
  'search_documents',
]

/** Foreign keys of tenant tables that leave the tenant, all of them to global tables. */
export const globalForeignKeys = [
  'api_keys (created_by) -> users',
  'environment_settings (changed_by) -> users',
  'imports (attested_by) -> users',
  'lead_merges (created_by) -> users',
  'lead_operations (user_id) -> users',
  'leads (lawful_basis_by) -> users',
  'leads (owner_user_id) -> users',
  'notes (author_user_id) -> users',
  'suppressions (created_by) -> users',
]
