/** The import rules. CONTRIBUTING.md summarizes them. */
// `sandbox` is the shared base of the test environment, no implementation of a provider.
const implementations = '^src/plugins/(?!sandbox/|calendar-kit/|graph-kit/)[^/]+/'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src', pathNot: '\\.test\\.ts$' },
      to: {},
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain', pathNot: '\\.test\\.ts$' },
      to: { path: '^src', pathNot: '^src/domain' },
    },
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^src/domain', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'kit-imports-only-kit',
      severity: 'error',
      from: { path: '^src/kit' },
      to: { path: '^src', pathNot: '^src/(kit|config\\.ts)' },
    },
    {
      name: 'plugins-import-only-domain-and-kit',
      severity: 'error',
      from: { path: '^src/plugins', pathNot: '\\.test\\.ts$' },
      to: { path: '^src', pathNot: '^src/(plugins|domain|kit)' },
    },
    {
      name: 'documents-import-only-domain-and-kit',
      severity: 'error',
      from: { path: '^src/documents', pathNot: '\\.test\\.ts$' },
      to: { path: '^src', pathNot: '^src/(documents|domain|kit)' },
    },
    {
      name: 'crawl-imports-only-domain-kit-and-contracts',
      severity: 'error',
      from: { path: '^src/crawl', pathNot: '\\.test\\.ts$' },
      to: { path: `^src/(?!crawl|domain|kit|plugins)|${implementations}` },
    },
    {
      name: 'plugins-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/plugins/([^/]+)/([^/.]+)', pathNot: '\\.test\\.ts$|/index\\.ts$' },
      to: { path: implementations, pathNot: '^src/plugins/$1/$2' },
    },
    {
      name: 'features-import-only-contracts',
      severity: 'error',
      from: { path: '^src/features', pathNot: '\\.test\\.ts$' },
      to: { path: `${implementations}|^src/(app|server|main|cli|simulator)` },
    },
    {
      name: 'features-import-only-service-schemas-events-settings',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/features/([^/]+)/',
        pathNot: '^src/features/($1/|[^/]+/(service|schemas|events|settings)\\.ts$)',
      },
    },
    {
      name: 'only-app-and-doctor-import-implementations',
      severity: 'error',
      from: { path: '^src', pathNot: `^src/(app|doctor)\\.ts|${implementations}|\\.test\\.ts$` },
      to: { path: implementations },
    },
    {
      name: 'only-server-cli-and-tests-import-simulator',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/(server|cli/program)\\.ts|^src/simulator|\\.test\\.ts$' },
      to: { path: '^src/simulator' },
    },
    {
      name: 'simulator-imports-only-domain-and-kit',
      severity: 'error',
      from: { path: '^src/simulator', pathNot: '\\.test\\.ts$' },
      to: { path: '^src', pathNot: '^src/(simulator|domain|kit)' },
    },
    {
      name: 'sdk-imports-no-program-code',
      severity: 'error',
      from: { path: '^sdk', pathNot: '^sdk/demo|\\.test\\.ts$' },
      to: { path: '^(src|test|bench|scripts)' },
    },
    {
      name: 'program-imports-no-tests',
      severity: 'error',
      from: { path: '^src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|scripts|sdk)|\\.test\\.ts$' },
    },
    {
      name: 'no-development-tools-at-run-time',
      severity: 'error',
      from: { path: '^src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.generated\\.ts$' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
