import type { App, RouteParts } from '../http/edge.ts';
import { resourceRoutes } from '../http/resource-routes.ts';
import { listCatalogueConflicts } from './conflict-queries.ts';
import { WithConflicts } from './conflict-schema.ts';
import { previewedBy } from './conflicts.ts';
import { listServices } from './service-queries.ts';
import { CreateService, Service, ServicesQuery, UpdateService } from './service-schema.ts';
import { operatorServiceView } from './service-view.ts';
import { createService, readService, removeService, updateService } from './services.ts';

/** Services in the operator API. */
export function operatorServiceRoutes(app: App, deps: RouteParts): void {
  resourceRoutes(app, deps, {
    path: '/operator/services',
    tags: ['Catalogue'],
    name: 'Service',
    plural: 'Services',
    operations: { one: 'CatalogueService', many: 'CatalogueServices' },
    usedBy: { bookings: 2 },
    query: ServicesQuery,
    shown: Service,
    given: CreateService,
    changes: UpdateService,
    previewed: previewedBy(listCatalogueConflicts),
    changed: { shown: WithConflicts(Service, 'ChangedService') },
    view: operatorServiceView,
    list: listServices,
    read: readService,
    create: createService,
    update: updateService,
    remove: removeService,
  });
}
