import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Deployment } from 'kubernetes-types/apps/v1';
import type { Service } from 'kubernetes-types/core/v1';
import type { Ingress } from 'kubernetes-types/networking/v1';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1';
import ts from 'typescript';
import { parse } from 'yaml';
import { readCommand } from '../../src/config.ts';

const FOLDER = new URL('../../deploy/kubernetes/', import.meta.url);

/** The API's types of what is in the folder, by `apiVersion` and `kind`; they are generated from its OpenAPI schemas. */
const TYPES: Record<string, string> = {
  'apps/v1 Deployment': "import('kubernetes-types/apps/v1').Deployment",
  'networking.k8s.io/v1 Ingress': "import('kubernetes-types/networking/v1').Ingress",
  'policy/v1 PodDisruptionBudget': "import('kubernetes-types/policy/v1').PodDisruptionBudget",
  'v1 Service': "import('kubernetes-types/core/v1').Service",
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

function read<T extends object>(file: string): T & Manifest {
  return parse(readFileSync(new URL(file, FOLDER), 'utf8'));
}

/** Returns what the API would not accept: an unknown field, a wrong type, a field that is missing. */
function problemsOf(manifests: readonly Manifest[]): string[] {
  const name = fileURLToPath(new URL('manifests.ts', import.meta.url));
  const text = manifests
    .map((manifest, index) => {
      const type = TYPES[`${manifest.apiVersion} ${manifest.kind}`];
      assert.ok(type !== undefined, `${manifest.kind} is a known kind`);
      // An object literal may have no other fields than its type.
      return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.readFile = (path) => (path === name ? text : readFile(path));
  const { getSourceFile } = host;
  host.getSourceFile = (path, version, ...rest) =>
    path === name ? ts.createSourceFile(path, text, version) : getSourceFile(path, version, ...rest);
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const deployment = read<Deployment>('deployment.yml');
const pod = deployment.spec?.template;
const gateway = pod?.spec?.containers[0];

test("the manifests follow the API's schemas", () => {
  assert.deepEqual(problemsOf(readdirSync(FOLDER).map((file) => read(file))), []);
});

for (const [what, wrong, problem] of [
  ['a field that the API does not have', { readinesProbe: {} }, /readinesProbe.* does not exist/],
  ['a value of another type', { ports: [{ containerPort: '8080' }] }, /not assignable to type 'number'/],
] as const) {
  test(`${what} is found, however deep`, () => {
    const manifest = structuredClone(deployment);
    Object.assign(manifest.spec?.template.spec?.containers[0] ?? {}, wrong);
    assert.match(problemsOf([manifest]).join('\n'), problem);
  });
}

test('what selects pods selects those of the Deployment, at the port that they have', () => {
  const labels = pod?.metadata?.labels;
  assert.ok(labels);
  assert.deepEqual(deployment.spec?.selector.matchLabels, labels);
  assert.deepEqual(read<Service>('service.yml').spec?.selector, labels);
  assert.deepEqual(read<PodDisruptionBudget>('disruption-budget.yml').spec?.selector?.matchLabels, labels);

  const port = gateway?.ports?.[0];
  assert.equal(port?.containerPort, 8080);
  const targets = [gateway?.startupProbe, gateway?.readinessProbe, gateway?.livenessProbe];
  assert.deepEqual(
    targets.map((probe) => probe?.httpGet?.port),
    [port.name, port.name, port.name],
  );
  assert.equal(read<Service>('service.yml').spec?.ports?.[0]?.targetPort, port.name);
});

test('the Ingress passes on what pages, panels and links ask for, but no calls of gateways', () => {
  const { paths = [] } = read<Ingress>('ingress.yml').spec?.rules?.[0]?.http ?? {};
  const isReached = (asked: string) =>
    paths.some(
      ({ path, pathType }) => asked === path || (pathType === 'Prefix' && asked.startsWith(`${path}/`)),
    );
  const pages = readdirSync(new URL('../../../demo/', import.meta.url), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).split('/demo').at(-1) ?? '');
  const scripts = ['/whatsapp-operadores.js', '/dist/whatsapp-operadores.js'];
  const calls = ['/api/session/sessions', '/socket.io/', '/simulator/phones', '/l', '/l/', '/l/api/pairing'];
  for (const path of ['/', ...pages, ...scripts, ...calls]) assert.ok(isReached(path), path);
  for (const path of ['/cluster', '/cluster/']) assert.ok(!isReached(path), path);
});

test("the gateway takes the pod's variables", () => {
  const secrets: Record<string, string> = {
    database: 'postgres://user:password@database/whatsapp',
    token: 'a-token-of-the-kubernetes-test',
  };
  // Those of the image, and the pod's.
  const environment: Record<string, string> = { WO_HOST: '0.0.0.0', WO_DATA: '/data' };
  for (const { name, value, valueFrom } of gateway?.env ?? []) {
    const secret = secrets[valueFrom?.secretKeyRef?.key ?? ''];
    const isAddress = valueFrom?.fieldRef?.fieldPath === 'status.podIP';
    environment[name] = value?.replace('$(POD_IP)', '10.0.0.5') ?? secret ?? (isAddress ? '10.0.0.5' : '');
  }
  const command = readCommand([], environment);
  assert.equal(command.name, 'serve');
  assert.deepEqual(command.options.cluster, {
    database: secrets.database,
    advertise: 'http://10.0.0.5:8080',
    lease: undefined,
    maxSessions: 500,
  });
});

test('a pod gets the time that its gateway takes to drain', () => {
  const DRAIN = 20;
  const wait = gateway?.lifecycle?.preStop?.sleep?.seconds;
  assert.ok(wait !== undefined && Number(pod?.spec?.terminationGracePeriodSeconds) > wait + DRAIN);
});
