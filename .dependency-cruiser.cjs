/** The import table of ARCHITECTURE.md. `npm run imports` runs it. */

const ROOMS = 'src-main/context/[^/]+/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Types may point at each other; running code may not.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolved',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: { pathNot: '\\.(test|golden)\\.tsx?$' },
      to: { couldNotResolve: true, pathNot: '\\?(modulePath|worker|url|raw|inline)' },
    },
    {
      name: 'contract-is-a-treaty',
      comment: 'A contract is read on both sides of the border: zod and other contracts only.',
      severity: 'error',
      from: { path: '^src-main/.*contract\\.ts$' },
      to: { pathNot: ['contract\\.ts$', 'node_modules/zod/'] },
    },
    {
      name: 'assemble-is-pure',
      comment:
        'The same input gives the same bytes: nothing but the files beside it, contracts, and the shape of a turn.',
      severity: 'error',
      from: { path: '^src-main/context/assemble/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: [
          '^src-main/context/assemble/',
          '^src-main/context/block-source\\.ts$',
          '^src-main/.*contract\\.ts$',
          'node_modules/zod/',
        ],
      },
    },
    {
      name: 'room-stays-inside',
      comment: 'A room sees another room through its contract only.',
      severity: 'error',
      from: { path: `^(${ROOMS})`, pathNot: '^src-main/context/(assemble|golden)/|\\.test\\.ts$' },
      to: { path: `^${ROOMS}`, pathNot: ['^$1', '^src-main/context/assemble/', 'contract\\.ts$'] },
    },
    {
      name: 'room-may-use',
      comment: 'Besides its own files a room sees storage, the treaty, and contracts.',
      severity: 'error',
      from: { path: `^(${ROOMS})`, pathNot: '^src-main/context/(assemble|golden)/|\\.test\\.ts$' },
      to: {
        path: '^src-main/',
        pathNot: [
          '^$1',
          '^src-main/context/[^/]+\\.ts$',
          '^src-main/context/',
          '^src-main/(storage|ipc)/',
          'contract\\.ts$',
        ],
      },
    },
    {
      name: 'turns-know-no-host',
      severity: 'error',
      from: { path: '^src-main/(turns|sessions|models|tools|jobs|settings|context|transfer)/' },
      to: { path: '^src-main/(electron|web|host)/|^src-main/(index|serve|app)\\.ts$' },
    },
    {
      name: 'ground-knows-no-domain',
      comment: 'Storage and the router carry every room and know none.',
      severity: 'error',
      from: { path: '^src-main/(storage|ipc)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src-main/', pathNot: ['^src-main/(storage|ipc)/'] },
    },
    {
      name: 'electron-lives-in-one-folder',
      severity: 'error',
      from: { pathNot: ['^src-main/electron/', '^src-main/index\\.ts$', '^src-preload/'] },
      to: { path: '(^|node_modules/)electron($|/)' },
    },
    {
      name: 'only-web-speaks-http-to-pages',
      severity: 'error',
      from: { path: '^src-main/', pathNot: ['^src-main/web/', '^src-main/serve\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^src-main/web/' },
    },
    {
      name: 'app-knows-no-host',
      comment: 'The composition knows neither Electron nor HTTP.',
      severity: 'error',
      from: { path: '^src-main/app\\.ts$' },
      to: { path: '^src-main/(electron|web|host)/' },
    },
    {
      name: 'main-without-renderer',
      severity: 'error',
      from: { path: '^src-main/' },
      to: { path: '^src-(renderer|preload)/' },
    },
    {
      name: 'preload-is-a-border',
      severity: 'error',
      from: { path: '^src-preload/' },
      to: { pathNot: ['(^|node_modules/)electron($|/)', 'contract\\.ts$', '^src-preload/'] },
    },
    {
      name: 'renderer-through-contracts',
      comment: 'Of the main side the renderer sees contracts only.',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: '^src-(main|preload)/', pathNot: 'contract\\.ts$' },
    },
    {
      name: 'renderer-without-node',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'ui-knows-no-domain',
      severity: 'error',
      from: { path: '^src-renderer/ui/' },
      to: { path: '^src-', pathNot: '^src-renderer/ui/' },
    },
    {
      name: 'testing-stays-in-tests',
      severity: 'error',
      from: { path: '^src-', pathNot: ['\\.test\\.tsx?$', '^src-main/testing/', '^src-main/context/golden/'] },
      to: { path: '^src-main/testing/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$' },
      to: { path: '\\.test\\.tsx?$' },
    },
  ],
  options: {
    // TypeScript 7 has no JavaScript API; swc reads type-only imports too
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
